"""The one test module of the suite: a test for each scenario of the features."""

from specassay.suite.binding import bind

globals().update(bind())
