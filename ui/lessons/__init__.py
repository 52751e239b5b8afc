"""Lessons: files of text that drive the real pages.

``texts`` has one Markdown file for each lesson, :mod:`reading` turns it into steps, :mod:`checks` knows what a
learner can be seen to do, and :mod:`course` leads a visitor from step to step.
"""
