"""Rows of uploaded bytes: CSV, workbooks, saved web pages, logs of clocks."""
