import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import { CommandFailed } from "../../src/commands/CommandFailed.js"
import { byLines, readDefinition } from "../../src/commands/definitions/DefinitionFile.js"
import { temporaryFolder } from "../processes.js"
import { runParley } from "./runParley.js"

const fields = ["name", "trigger", "conditions", "actions"]

/** The definition in a file of this content, or the error message, with `FILE` for the path. */
const read = (content: string | Uint8Array) =>
  Effect.gen(function* () {
    const path = join(yield* temporaryFolder, "workflow.yaml")
    yield* Effect.promise(() => writeFile(path, content))
    return Either.mapLeft(yield* Effect.either(readDefinition(path, fields)), ({ message }) =>
      message.replaceAll(path, "FILE")
    )
  })
const readable = (content: string) => Effect.map(read(content), Either.getOrThrow)
const unreadable = (content: string | Uint8Array) => Effect.map(Effect.flatMap(read(content), Either.flip), String)

describe("a file with a definition", () => {
  it.scoped("is YAML, or JSON with any indentation", () =>
    Effect.gen(function* () {
      const content = { name: "Tell", trigger: { event: "09:00" }, actions: [{ type: "wait", until: "09:00" }] }
      const yaml = "name: Tell\ntrigger:\n  event: 09:00\nactions:\n  - type: wait\n    until: 09:00\n"
      expect((yield* readable(yaml)).content).toEqual(content)
      for (const indent of [0, 2, "\t"]) {
        expect((yield* readable(JSON.stringify(content, null, indent))).content).toEqual(content)
      }
    })
  )

  it.scoped("has a line for each of its parts", () =>
    Effect.gen(function* () {
      const yaml = "# of ours\nname: Tell\nactions:\n  - type: wait\n    for: 1d\n  -\n    type: add_tag\n"
      const { lineOf } = yield* readable(yaml)
      const lines: ReadonlyArray<readonly [field: string, line: number | null]> = [
        ["name", 2],
        ["actions", 3],
        ["actions.0", 4],
        ["actions.0.for", 5],
        ["actions.1", 7],
        ["actions.1.type.0.x", 7],
        // A missing field has the line of its parent.
        ["actions.1.tag", 7],
        ["actions.9.tag", 3],
        ["trigger.event", 2],
        ["workspace_id", null]
      ]
      for (const [field, line] of lines) expect([field, lineOf(field)]).toEqual([field, line])
    })
  )

  it.scoped("is refused with its lines, in order", () =>
    Effect.gen(function* () {
      const file = yield* readable("name: Tell\nactions:\n  - type: wait\n")
      const details = {
        "actions.0": ["must have exactly one of for, until"],
        name: ["is required", "is odd"],
        workspace_id: ["must be the id of a workspace"]
      }
      const refused = { code: "validation_failed", message: "No.", details, request_id: "r-1" }
      expect(byLines(file)(new CommandFailed({ message: "No.", refused })).message.replace(file.path, "FILE")).toBe(
        [
          "FILE has invalid fields (validation_failed, request r-1):",
          "  workspace_id: must be the id of a workspace",
          "  line 1, name: is required, is odd",
          "  line 3, actions.0: must have exactly one of for, until"
        ].join("\n")
      )
      const other = new CommandFailed({ message: "No.", refused: { ...refused, code: "invalid_transition" } })
      expect(byLines(file)(other)).toBe(other)
    })
  )

  it.scoped("is refused with the reason if it is invalid", () =>
    Effect.gen(function* () {
      expect(yield* unreadable("name: Tell\nactoins: []\n")).toBe(
        "FILE has invalid fields:\n  line 2, actoins: is not one of name, trigger, conditions, actions. Did you mean actions?"
      )
      expect(yield* unreadable("name: Tell\nname: Told\n")).toMatch(
        /^FILE is not a valid definition:\n {2}line 2: .*unique/
      )
      expect(yield* unreadable("name: [Tell\n")).toMatch(/^FILE is not a valid definition:\n {2}line \d: /)
      expect(yield* unreadable("name: *who\n")).toMatch(/^FILE is not a valid definition:\n {2}.*alias/i)
      expect(yield* unreadable("name: !who Tell\n")).toMatch(/^FILE is not a valid definition:\n {2}line 1: /)
      for (const text of ["", "- name: Tell\n", "Tell"]) {
        expect(yield* unreadable(text)).toBe(
          "FILE is not a valid definition:\n  It must contain fields, one per line, such as `name: …`."
        )
      }
      expect(yield* unreadable(new Uint8Array([0x6e, 0xff]))).toMatch(/^FILE cannot be read: /)
      expect(yield* unreadable("# ".padEnd(1_048_577, "a"))).toContain("at most 1 MiB")
    })
  )

  it.scoped("is refused if its aliases expand exponentially", () =>
    Effect.gen(function* () {
      const levels = Array.from({ length: 12 }, (_, n) => `  - &l${n + 1} [${Array(10).fill(`*l${n}`).join(",")}]`)
      expect(yield* unreadable(`name: Tell\nactions:\n  - &l0 x\n${levels.join("\n")}\n`)).toMatch(/alias/i)
    })
  )

  it.scoped("is refused if it refers to itself", () =>
    Effect.gen(function* () {
      expect(yield* unreadable("name: Tell\nactions: &all\n  - type: notify\n    message: [*all]\n")).toBe(
        "FILE is not a valid definition:\n  line 4: actions.0.message.0 refers to itself, by *all"
      )
      // A later anchor of the same name replaces the earlier one.
      const { content } = yield* readable("name: &it\n  - &it Tell\n  - *it\n")
      expect(content).toEqual({ name: ["Tell", "Tell"] })
    })
  )

  it.scoped("is refused if a number is not valid in JSON", () =>
    Effect.gen(function* () {
      expect(yield* unreadable("name: Tell\nactions:\n  - value: .nan\n  - value: [-.inf, 1e999, 1e308]\n")).toBe(
        [
          "FILE is not a valid definition:",
          "  line 3: actions.0.value must be a number, not .nan",
          "  line 4: actions.1.value.0 must be a number, not -.inf",
          "  line 4: actions.1.value.1 must be a number, not 1e999"
        ].join("\n")
      )
    })
  )

  const big: ReadonlyArray<readonly [what: string, text: string, message: RegExp]> = [
    ["nested too deep to be read", `name: ${"[".repeat(20_000)}`, /nested too deep/],
    [
      "nested too deep",
      `name: ${"[".repeat(200)}${"]".repeat(200)}`,
      /name(\.0){100} must be nested at most 100 levels/
    ],
    ["of many names", Array.from({ length: 50_000 }, (_, n) => `k${n}: 1`).join("\n"), /line 20, k19: [^\n]*$/],
    ["of many aliases", `name: &a x\nactions: [${Array(20_000).fill("*a")}]`, /actions\.100 is alias number 101/],
    ["of long aliases", `name: &a ${"x".repeat(20_000)}\nactions: [${Array(90).fill("*a")}]`, /1 MiB, with aliases/],
    ["of many mistakes", `actions:\n${"  - value: .nan\n".repeat(1_000)}`, /\n {2}… and 980 more$/]
  ]
  it.scoped.each(big)("is refused quickly if it is %s", ([, text, reported]) =>
    Effect.map(unreadable(text), (message) => expect(message).toMatch(reported))
  )

  const endless: ReadonlyArray<string> = [
    "workflow validate /dev/zero",
    "workflow apply /dev/zero",
    "bot apply /dev/zero",
    "connection update id --config /dev/zero"
  ]
  it.scoped.each(endless)("is read only up to the maximum size: %s", (message) =>
    Effect.map(
      runParley([...message.split(" "), "--server", "http://127.0.0.1:9", "--token", "t", ...workspaceOf(message)]),
      ({ code, errors }) => expect([code, errors]).toEqual([1, "/dev/zero cannot be read: it may have at most 1 MiB"])
    )
  )
})

const workspaceOf = (message: string) => (message.startsWith("connection") ? [] : ["--workspace", "w"])
