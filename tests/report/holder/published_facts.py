"""Facts of releases that are published, for tests of the holder's report."""

from dataclasses import replace

from lookalike.flow.documents.gather import record_preflight
from lookalike.flow.documents.holder.gather_holder_facts import gather_holder_facts
from lookalike.publish.certified import ReleasedFile

SHA256 = "0123456789abcdef" * 4


def facts_of(made, **changes):
    """Return the facts of a release as if it were published, with some of them changed."""
    files = {"table.csv": ReleasedFile(SHA256, 1)}
    certificate = replace(made.certificate, files=files)
    preflight = record_preflight(made.preflight, certificate)
    return replace(gather_holder_facts(made, certificate, preflight), **changes)
