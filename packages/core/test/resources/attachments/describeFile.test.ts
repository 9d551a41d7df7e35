import { describe, expect, it } from "vitest"
import { contentTypeOf, fileNameOf, isKeptType } from "../../../src/resources/attachments/describeFile.js"

describe("the description of an inbound file", () => {
  it.each([
    ["image/jpeg", "image/jpeg"],
    ["Text/HTML; charset=utf-8", "text/html"],
    [" application/vnd.ms-excel ", "application/vnd.ms-excel"],
    [null, "application/octet-stream"],
    ["", "application/octet-stream"],
    ["image", "application/octet-stream"],
    ["image/png\r\nx: y", "application/octet-stream"],
    [`image/${"x".repeat(130)}`, "application/octet-stream"]
  ])("maps media type %j to %s", (given, type) => {
    expect(contentTypeOf(given)).toBe(type)
  })
  it.each([
    ["Invoice 7.pdf", "Invoice 7.pdf"],
    ["../../etc/passwd", "passwd"],
    ["C:\\temp\\a.txt", "a.txt"],
    ["a\u0000b\r\n.txt", "ab.txt"],
    ["cod\u202Efdp.exe", "codfdp.exe"],
    ["x".repeat(300), "x".repeat(255)],
    ["..", null],
    ["dir/", null],
    ["", null],
    [null, null]
  ])("maps file name %j to %j", (given, name) => {
    expect(fileNameOf(given)).toBe(name)
  })
  it("decides by media type whether a file is kept", () => {
    expect(isKeptType(null, "text/html")).toBe(true)
    expect(isKeptType(["image/*", "application/pdf"], "image/png")).toBe(true)
    expect(isKeptType(["image/*", "application/pdf"], "application/pdf")).toBe(true)
    expect(isKeptType(["image/*", "application/pdf"], "application/zip")).toBe(false)
  })
})
