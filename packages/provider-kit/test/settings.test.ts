import { Either, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { incompleteSettings, settingsReader } from "../src/index.js"

const read = settingsReader(Schema.Struct({ id: Schema.String }), Schema.Struct({ token: Schema.NonEmptyString }))

describe("settingsReader", () => {
  it("reads config and credentials", () => {
    expect(read({ config: { id: "1" } }, { token: "s3cret" })).toEqual(
      Either.right({ config: { id: "1" }, credentials: { token: "s3cret" } })
    )
  })

  it("answers with a problem that has no value in it", () => {
    for (const credentials of [null, undefined, "s3cret", {}, { token: "" }]) {
      expect(read({ config: { id: "1" } }, credentials)).toEqual(Either.left(incompleteSettings))
    }
    expect(read({ config: {} }, { token: "s3cret" })).toEqual(Either.left(incompleteSettings))
  })

  it("reads the same credentials again once the config changes", () => {
    const credentials = { token: "s3cret" }
    const first = read({ config: { id: "1" } }, credentials)
    expect(read({ config: { id: "1" } }, credentials)).toBe(first)
    expect(read({ config: { id: "2" } }, credentials)).toMatchObject({ right: { config: { id: "2" } } })
    expect(read({ config: {} }, credentials)).toEqual(Either.left(incompleteSettings))
  })
})
