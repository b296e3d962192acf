"""Models of messages and collective operations, fitted to measured points by least squares, and what they say.

    points = points_of(results.table, "MPI_Bcast")                               rows.py
    lines = fit_lines(points, "MPI_Bcast", at=(2, 4, 8))                         collective.py, hockney.py
    form = form_of("a log2 p")                                                   forms.py, expressions.py
    model = fit_collective(lines, Forms(form, form), "MPI_Bcast")                collective.py, least_squares.py
    metrics = Metrics(model, parse("p - 1"), "MPI_Bcast")                        metrics.py
    metrics.extreme("aggregated bandwidth", range(2, 13))

docs/fits.md tells it to users.
"""
