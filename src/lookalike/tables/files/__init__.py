"""Files: tables in text files, Excel sheets, statistics files and Parquet, and how each is read.

Files are read as text where their format has no types. Start with ``read_files.py``.

==================  ===========================================================================
read_files.py       from a path, a folder or a glob to rows
file_format.py      what the suffix of a file says about its content
header.py           the names in a header line; duplicates are refused or numbered
find_header.py      find the row of the names, and refuse a title in its place
surroundings.py     a text file without the lines around its table
last_rows.py        the last rows of a file, to judge whether they are data
partitions.py       columns in the folder names of Parquet files
plain_text.py       a text file uncompressed and in UTF-8
encoding.py         find the encoding of a text file
file_bytes.py       the bytes of a file, uncompressed and block by block
excel_file.py       a sheet of an Excel file as text
statistics_file.py  a file of SPSS, Stata or SAS
formulas.py         apostrophes before text that a spreadsheet would execute
==================  ===========================================================================
"""
