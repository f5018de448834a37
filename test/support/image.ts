import process from "node:process";

/** Base image of every test that runs containers: any image with Python 3.9 or newer. */
export const IMAGE = process.env["SLOP_LENS_TEST_IMAGE"] ?? "slop-lens-test/python:bookworm";
