"""Rules of laws, agencies and standards, and what a release reaches of each.

The figures come in as :class:`~lookalike.report.rules.measured.MeasuredFigures`, which the flow
fills from a release. Each rule compares them with what it asks for and answers *met*, *not met* or
*not for software to decide*. *Met* means that this release reaches the figure that the rule names;
it is no legal advice and no statement that a law is complied with.

- ``rule.py``: a rule with its source, and the answer to it.
- ``measured.py``: the figures of a release that rules ask for, and words for them.
- ``hipaa.py``: HIPAA Safe Harbor and Expert Determination.
- ``shown_identifiers.py``: what a released column shows of an identifier of Safe Harbor.
- ``threshold.py``: the least number of persons in a published cell (CMS, ONS), and the highest
  risk of re-identification (EMA, Health Canada, CIHI).
- ``wp216.py``: singling out, linkability and inference (Article 29 Working Party).
- ``judge.py``: all of them, in the order of the table.

Start reading at :func:`lookalike.report.rules.judge.judge_rules`.
"""
