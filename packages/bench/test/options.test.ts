import { describe, expect, it } from "@effect/vitest"
import { readOptions } from "../src/options.js"

describe("readOptions", () => {
  it("measures everything by default and writes nothing", () => {
    expect(readOptions([])).toEqual({
      only: ["engine", "http", "memory"],
      seconds: 5,
      rounds: 3,
      messages: 100_000,
      write: null
    })
  })

  it("takes one part", () => {
    expect(readOptions(["--only", "http", "--seconds", "2"])).toMatchObject({ only: ["http"], seconds: 2 })
  })

  it.each([
    ["an unknown part", ["--only", "disk"]],
    ["rounds longer than an engine waits for a provider", ["--seconds", "60"]],
    ["what is no number", ["--rounds", "many"]]
  ])("refuses %s with the usage", (_, argv) => {
    expect(() => readOptions(argv)).toThrow("npm run bench")
  })
})
