import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { runParley } from "./runParley.js"

describe("an invalid command line", () => {
  const lines: ReadonlyArray<readonly [commandLine: string, expected: string]> = [
    ["endpont list", "There is no parley endpont. Did you mean endpoint?"],
    ["endpoint lst", "There is no parley endpoint lst. Did you mean list"],
    ["endpoint bogus", "There is no parley endpoint bogus.\nSee: parley help endpoint"],
    ["help endpoint ad", "There is no parley endpoint ad. Did you mean add?"],
    ["--json endpoint list", "Options follow the command"],
    ["endpoint list --jsn", "parley endpoint list has no option --jsn. Did you mean --json?"],
    ["endpoint add --event=message.sent http://a.example", "has no option --event. Did you mean --events?"],
    ["endpoint add", "Missing argument <url>\nUsage: parley endpoint add <url> [options]"],
    ["endpoint list more", "parley endpoint list takes no more arguments: more"],
    ["app create Shop --mode tset", "test"],
    ["app list --limit ten", "--limit must be a whole number from 1 up\nUsage: parley app list [options]"],
    ["app list --limit 0", "--limit must be a whole number from 1 up"],
    ["app update some-id --token t", "Give a field to change: parley help app update lists the options"],
    ["app list --server somewhere --token t", "--server must be an http or https URL, not somewhere"]
  ]
  it.effect.each(lines)("%s", ([message, reported]) =>
    Effect.map(runParley(message.split(" ")), ({ code, errors, output }) => {
      expect([code, output]).toEqual([2, ""])
      expect(errors).toContain(reported)
    })
  )

  it.effect("takes values and arguments after -- verbatim", () =>
    Effect.gen(function* () {
      // These pass the checks of the command line, and fail because no server answers.
      for (const message of [
        ["workspace", "create", "--language", "--odd", "Acme"],
        ["workspace", "create", "--", "--odd"]
      ]) {
        const { code } = yield* runParley([
          ...message.slice(0, 2),
          "--server",
          "http://127.0.0.1:9",
          "--token",
          "t",
          ...message.slice(2)
        ])
        expect([message, code]).toEqual([message, 3])
      }
    })
  )
})
