import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { serveDemo, temporaryFolder } from "../processes.js"
import { until } from "../until.js"
import { runParley } from "./runParley.js"

const definition = (tag: string) => `# Ada wants to know.
name: Tell of shipping
trigger: { type: external_event, event: order.shipped }
conditions:
  data: { key: order.number, is_given: true }
actions:
  - type: add_tag
    tag: ${tag}
  - type: wait
    name: a while
    for: 30d
  - type: notify
    message: "{{contact.first_name}} has order {{data.order.number}}"
`

const broken = `name: Tell of shipping
trigger: { type: external_event, event: order.shipped }
actions:
  - type: add_tag
    tagg: vip
  - type: assign
    agent_id: 01900000-0000-7000-8000-00000000dead
`

describe("the commands of workflows", () => {
  it.scopedLive(
    "apply a file, test it, and explain the runs of an event",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const { demo } = yield* serveDemo(folder)
        const target = ["--server", demo.base_url, "--token", demo.admin_token]
        const workspace = ["--workspace", demo.workspace_id]
        const said = (...message: ReadonlyArray<string>) => runParley([...message, ...target])
        const one = (...message: ReadonlyArray<string>) =>
          Effect.map(runParley([...message, ...target, "--json"]), ({ code, errors, output }) => {
            expect([message, code, errors]).toEqual([message, 0, ""])
            return JSON.parse(output)
          })
        const written = (name: string, text: string) => {
          const path = join(folder, name)
          return Effect.as(
            Effect.promise(() => writeFile(path, text)),
            path
          )
        }
        const file = yield* written("order-shipped.yaml", definition("shipped"))
        const apply = ["workflow", "apply", file, ...workspace]

        expect(yield* said("workflow", "validate", file, ...workspace)).toMatchObject({ code: 0, errors: "" })
        const created = yield* said(...apply)
        expect(created.output).toMatch(/^Created Tell of shipping \(.+\)\.\n.* signed with whsec_.{32}, /)
        expect(created.errors).toContain("parley workflow publish ")
        expect((yield* said(...apply)).output).toMatch(/^Tell of shipping \(.+\) is as the file says\.$/)
        yield* written("order-shipped.yaml", definition("sent"))
        const changed = yield* said(...apply, "--publish")
        expect(changed).toMatchObject({ code: 0, errors: "" })
        expect(changed.output).toMatch(/ changed: actions\.\nPublished as version 1\.$/)
        const { id, status } = yield* one(...apply, "--publish")
        expect(status).toBe("published")

        const shown = yield* said("workflow", "show", "Tell of shipping", ...workspace)
        expect(shown.output).toContain("# published as version 1\n")
        yield* written("order-shipped.yaml", shown.output)
        expect((yield* said(...apply)).output).toContain("is as the file says.")
        const versions = yield* said("workflow", "versions", id)
        expect(versions.output).toMatch(/add_tag, wait, notify$/)

        const contact = yield* one(
          "contact",
          "create",
          "--first-name",
          "Ada",
          "--email",
          "ada@example.org",
          ...workspace
        )
        const event = yield* written(
          "event.json",
          JSON.stringify({
            event: "order.shipped",
            identity: { channel: "email", external_id: "ada@example.org" },
            data: { order: { number: "1042" } }
          })
        )
        const tried = yield* said(
          "workflow",
          "dry-run",
          file,
          "--event",
          event,
          ...workspace,
          "--app",
          demo.application_id
        )
        expect(tried).toMatchObject({ code: 0, errors: "" })
        expect(tried.output).toMatch(
          /add_tag +done .*\n.*wait "a while" +done .*\n(.*\n)*The run would be completed\.$/
        )
        const skipped = yield* said("workflow", "dry-run", id, "--contact", contact.id, "--app", demo.application_id)
        expect(skipped.output).toMatch(/^The run would be skipped: /)
        const other = ["--event", yield* written("other.yaml", "event: order.sent\n"), "--contact", contact.id]
        expect((yield* said("workflow", "dry-run", id, ...other, "--app", demo.application_id)).errors).toBe(
          "The event order.sent does not start it: it listens for order.shipped."
        )

        yield* Effect.promise(() =>
          fetch(`${demo.base_url}/api/v1/events`, {
            method: "POST",
            headers: {
              authorization: `Bearer ${demo.api_key}`,
              "content-type": "application/json",
              "idempotency-key": "1042 shipped"
            },
            body: JSON.stringify({
              event: "order.shipped",
              contact_id: contact.id,
              data: { order: { number: "1042" } }
            })
          })
        )
        const waiting = () => Effect.runPromise(said("workflow", "runs", id, "--status", "waiting", "--json"))
        const run = yield* until("the run waits", async () => {
          const { output } = await waiting()
          return output === "" ? undefined : JSON.parse(output)
        })
        const trace = yield* said("run", "show", run.id)
        expect(trace).toMatchObject({ code: 0, errors: "" })
        expect(trace.output).toContain("workflow  Tell of shipping, version 1")
        expect(trace.output).toMatch(/\dZ {2}add_tag +done +\d+ ms +\S.*\n.* wait "a while" +now +waits until \d{4}-/)
        expect((yield* said("run", "stop", run.id)).output).toContain("Stopped run")
        expect((yield* said("run", "stop", run.id)).code).toBe(1)
        expect((yield* said("run", "show", run.id)).output).toMatch(/status +stopped at /)
        expect(yield* one("run", "list", "--contact", contact.id)).toMatchObject({ id: run.id, status: "stopped" })
        expect((yield* one("workflow", "rotate-secret", id)).secret).toMatch(/^whsec_/)

        const bad = yield* written("broken.yaml", broken)
        const refused = yield* said("workflow", "apply", bad, ...workspace)
        expect(refused.code).toBe(1)
        expect(refused.errors).toMatch(/broken\.yaml has invalid fields \(validation_failed, request .*\):\n/)
        expect(refused.errors).toMatch(/\n {2}line 4, actions\.0\.tag: .*\n {2}line 5, actions\.0\.tagg: /)
        const unpublishable = yield* written("broken.yaml", broken.replace("tagg", "tag").replace("of", "of other"))
        const unpublished = yield* said("workflow", "apply", unpublishable, "--publish", ...workspace)
        expect(unpublished.errors).toMatch(/\n {2}line 7, actions\.1\.agent_id: /)
        expect((yield* said("workflow", "show", "Tell of other shipping", ...workspace)).errors).toContain(
          "No workflow has the name Tell of other shipping"
        )
      }),
    { timeout: 120_000 }
  )
})
