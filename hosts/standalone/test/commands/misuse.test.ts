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
    ["app list --server somewhere --token t", "--server must be an http or https URL, not somewhere"],
    ["app list --server ftp://ada:secret@host --token t", "--server must be an http or https URL, not ftp://…@host"],
    ["app list --server http://ada:secret@host --token t", "--server must not contain a user name or password: give"],
    ["app list --server http://host/admin/v1 --token t", "must be the URL without /admin/v1: write http://host"],
    ["app list --server http://host/parley/api/v1/ --token t", "without /api/v1/: write http://host/parley"],
    ["app list --token a\nb", "The admin token from --token must be printable ASCII without spaces and line breaks"],
    ["app list --token 5€", "The admin token from --token must be printable ASCII"],
    ["message list --since yesterday", "--since must be a time such as 2026-05-04T08:30:00Z, or a duration before now"],
    ["endpoint recover some-id --since 5", "--since must be a time"],
    ["backup ", "<file> is empty"],
    ["audit list --app ", "--app has an empty value: give one, or leave the option out.\nUsage: parley audit list"],
    ["audit list --workspace=", "--workspace has an empty value"],
    ["logs --since ", "--since has an empty value"],
    ["app update some-id --name Shop --server ", "--server has an empty value"]
  ]
  it.effect.each(lines)("%s", ([message, reported]) =>
    Effect.map(runParley(message.split(" ")), ({ code, errors, output }) => {
      expect([code, output]).toEqual([2, ""])
      expect(errors).toContain(reported)
      expect(errors).not.toContain("secret")
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
