"""Run the notebooks and write what their cells show: ``python -m tests.rewrite_notebooks [NAME…]``.

For use after a change of a notebook or of the output. Read the difference before you commit it: the
tests compare the notebooks with what they show when they are run again.
"""

import sys
import tempfile
from pathlib import Path
from typing import Any

NOTEBOOKS = sorted((Path(__file__).parents[1] / "docs" / "notebooks").glob("*.ipynb"))
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
"""The metadata of a notebook, without the versions and paths of the machine that ran it."""


def run_notebook(path: Path, folder: Path) -> Any:
    """Run the cells of a notebook in a folder, and return it with what they show.

    A cell that raises an error stops the run. Of an object with HTML, the plain text is left out:
    that of a certificate has a digest, which differs from run to run.
    """
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(notebook, resources={"metadata": {"path": str(folder)}})
    client.execute()
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", ()):
            if "text/html" in output.get("data", {}):
                output.data.pop("text/plain")
    return notebook


def main(names: list[str]) -> None:
    """Rewrite the notebooks of the names, or all."""
    import nbformat

    for path in NOTEBOOKS:
        if not names or path.stem in names:
            with tempfile.TemporaryDirectory() as folder:
                nbformat.write(run_notebook(path, Path(folder)), path)


if __name__ == "__main__":
    main(sys.argv[1:])
