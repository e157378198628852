"""What the screen *Frontier* is made of: many settings, tried and drawn. Start: ``try_grid.py``.

- ``read_grid.py``: reads from a form which settings to try, and proposes some.
- ``try_grid.py``: the task that tries them, and its result.
- ``draw_points.py``: draws what is kept across k, rows lost, class size or exposure.
- ``frontier_view.py``: what the page shows: one point before and after, all points.
"""
