"""Files: tables in text files, Excel sheets, statistics files and Parquet, and how each is read.

Files are read as text where their format has no types. Start with ``read_files.py``.

==================  ===========================================================================
read_files.py       from a path, a folder or a glob to rows; columns in folder names
file_format.py      what the suffix of a file says about its content
header_and_delimiter.py
                    find the delimiter and the row of the names, refuse a title in its place
plain_text.py       a text file uncompressed, in UTF-8, without the lines around its table
encoding.py         the bytes of a text file, and their encoding
excel_file.py       a sheet of an Excel file as text
statistics_file.py  a file of SPSS, Stata or SAS
==================  ===========================================================================
"""
