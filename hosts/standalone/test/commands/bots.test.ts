import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { serveDemo, temporaryFolder } from "../processes.js"
import { until } from "../until.js"
import { runParley } from "./runParley.js"

const script = `name: Qualification
start: { keywords: [demo] }
greeting: Hello!
steps:
  - key: need
    type: ask
    text: What do you need?
    expect:
      type: choice
      choices:
        - { value: prices, text: Prices }
        - { value: support, text: Support, go_to: person }
  - { key: end, type: finish, text: "{{answers.need}} it is." }
  - { key: person, type: hand_off, text: One moment. }
`

describe("the commands of bots", () => {
  it.scopedLive(
    "apply a file, and show a customer's answers",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const { demo } = yield* serveDemo(folder)
        const target = ["--server", demo.base_url, "--token", demo.admin_token]
        const workspace = ["--workspace", demo.workspace_id]
        const said = (...message: ReadonlyArray<string>) => runParley([...message, ...target])
        const file = join(folder, "qualification.yaml")
        const write = (text: string) => Effect.promise(() => writeFile(file, text))
        const apply = ["bot", "apply", file, ...workspace]

        yield* write(script.replace("go_to: person", "go_to: missing").replace("type: finish", "type: end"))
        const refused = yield* said(...apply)
        expect(refused.code).not.toBe(0)
        expect(refused.errors).toContain("line 12, steps.0.expect.choices.1.go_to: must be the key of a step")
        expect(refused.errors).toContain("line 13, steps.1.type: must be one of say, ask, hand_off, finish")

        yield* write(script)
        const created = yield* said(...apply)
        expect(created.output).toMatch(/^Created Qualification \(.+\), inactive\.$/)
        expect(created.errors).toContain("parley bot activate ")
        const { id } = JSON.parse((yield* said(...apply, "--activate", "--json")).output)
        const shown = yield* said("bot", "show", id)
        expect(shown.output).toContain("# active\nname: Qualification\n")
        yield* write(shown.output)
        expect(yield* said(...apply)).toMatchObject({ output: `Changed Qualification (${id}), active.`, errors: "" })

        const customer = (body: string) =>
          said("connection", "simulate-inbound", demo.connections.telegram ?? "", "ada", body)
        expect(yield* customer("Demo!")).toMatchObject({ code: 0 })
        const sessionThat = (what: string, is: (session: Record<string, unknown>) => boolean) =>
          until(what, async () => {
            const { output } = await Effect.runPromise(said("bot", "sessions", id, "--json"))
            const session = output === "" ? undefined : JSON.parse(output)
            return session !== undefined && is(session) ? session : undefined
          })
        yield* sessionThat("a question", ({ step }) => step === "need")
        yield* customer("2")
        const session = yield* sessionThat("a hand-off", ({ status }) => status === "handed_off")
        expect(session.answers).toEqual({ need: "support" })
        expect((yield* said("bot", "session", session.id)).output).toContain("handed_off")
        expect((yield* said("bot", "deactivate", id)).output).toContain("inactive")
      }),
    60_000
  )
})
