import { resolve } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Either } from "effect"
import { read } from "../src/Blobs.js"

const s3 = { _tag: "S3", bucket: "acme-files", prefix: "", region: null, endpoint: null }

describe("the place of files", () => {
  it("is a folder", () => {
    for (const [text, folder] of [
      ["/var/lib/parley/blobs", "/var/lib/parley/blobs"],
      ["files", resolve("files")]
    ] as const) {
      expect(read(text)).toEqual(Either.right({ _tag: "Folder", folder }))
    }
  })

  it("is a bucket", () => {
    for (const [text, parts] of [
      ["s3://acme-files", {}],
      ["s3://acme-files/", {}],
      ["s3://acme-files/parley", { prefix: "parley/" }],
      ["s3://acme-files/a/b%20c/", { prefix: "a/b c/" }],
      ["s3://acme-files?region=eu-central-1", { region: "eu-central-1" }],
      [
        "s3://acme-files/p?endpoint=http://minio:9000&region=x",
        { prefix: "p/", endpoint: "http://minio:9000", region: "x" }
      ]
    ] as const) {
      expect(read(text)).toEqual(Either.right({ ...s3, ...parts }))
    }
  })

  it("is nothing else", () => {
    for (const text of [
      "s3:acme-files",
      "s3://",
      "s3://Acme_Files",
      "s3://key:secret@acme-files",
      "s3://acme-files:9000",
      "s3://acme-files/%",
      "s3://acme-files/%ff",
      "s3://acme-files#x",
      "s3://acme-files?bucket=x",
      "s3://acme-files?endpoint=minio",
      "file:///var/lib/blobs",
      "gs://acme-files"
    ]) {
      expect(Either.isLeft(read(text)), text).toBe(true)
    }
  })
})
