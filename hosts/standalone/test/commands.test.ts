import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { callAdmin, sendTemplate } from "./calls.js"
import { outcomeOf, parley, serveDemo, temporaryFolder } from "./processes.js"
import { until } from "./until.js"

describe("the parley command", () => {
  it.scopedLive(
    "works on the demo with nothing else given",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const { demo } = yield* serveDemo(folder)
        const run = (...words: ReadonlyArray<string>) =>
          Effect.map(outcomeOf([...words, "--json"], { PARLEY_DATA_DIR: folder }), ({ code, output }) => {
            expect(code, output).toBe(0)
            return JSON.parse(output)
          })

        expect((yield* run("app", "show")).id).toBe(demo.application_id)
        expect(yield* run("connection", "list")).toHaveLength(6)
        const added = yield* run(
          "endpoint",
          "add",
          "http://127.0.0.1:9000/hook",
          "--events",
          "message.sent,message.read"
        )
        expect(added).toMatchObject({
          events: ["message.sent", "message.read"],
          secret: expect.stringMatching(/^whsec_/)
        })
        expect((yield* run("endpoint", "list")).map(({ id }: { readonly id: string }) => id)).toEqual([added.id])
        expect((yield* run("endpoint", "rotate", added.id)).secret).not.toBe(added.secret)
        yield* run("endpoint", "test", added.id)
        expect(yield* run("endpoint", "deliveries", added.id)).toMatchObject([{ event_type: "webhook.test" }])
        expect(yield* run("template", "add", "hello", "Hello {{1}}")).toMatchObject({ status: "draft" })
        const workflow = yield* run("workflow", "create", "Tell of shipping", "order.shipped")
        expect(workflow).toMatchObject({ status: "draft", trigger: { type: "external_event", event: "order.shipped" } })
        expect((yield* run("workflow", "publish", workflow.id)).status).toBe("published")
        expect((yield* run("workflow", "unpublish", workflow.id)).status).toBe("unpublished")
        expect(yield* run("workflow", "list")).toMatchObject([{ id: workflow.id, status: "unpublished" }])
        const pipeline = yield* run("pipeline", "create", "Renewals", "due, won=Sold = paid")
        expect(pipeline.stages).toEqual([
          { key: "due", name: "due" },
          { key: "won", name: "Sold = paid" }
        ])
        const pipelines = yield* run("pipeline", "list")
        expect(pipelines.map(({ name }: { readonly name: string }) => name)).toEqual(["Renewals", "Sales"])
        const field = yield* run("custom-field", "create", "size", "--type", "number")
        expect(field).toMatchObject({ key: "size", type: "number", label: "size" })
        expect(yield* run("custom-field", "list")).toEqual([field])
        const agent = yield* run("agent", "create", "Grace Hopper", "--email", "grace@acme.example")
        expect(yield* run("agent", "list")).toEqual([agent])
        const team = yield* run("team", "create", "Front desk", "--agents", agent.id)
        expect(team.agent_ids).toEqual([agent.id])
        expect(yield* run("team", "list")).toEqual([team])
        const inbound = yield* run("connection", "simulate-inbound", "whatsapp", "+15550123456", "Hi", "--name", "Ada")
        expect(inbound).toMatchObject({ direction: "inbound", body: "Hi", connection_id: demo.connections.whatsapp })

        const workspace = yield* run("workspace", "create", "Acme", "--language", "de")
        const connection = yield* run(
          "connection",
          "add",
          "email",
          "a@acme.example",
          "--workspace",
          workspace.id,
          "--test"
        )
        const made = yield* run("app", "create", "Shop", "--workspace", workspace.id, "--connections", connection.id)
        expect(made).toMatchObject({ mode: "test", connection_ids: [connection.id] })
        const issued = yield* run("key", "issue", "--app", made.id)
        expect(issued.key).toMatch(/^parley_test_[0-9A-Za-z]{32}$/)
        const rotated = yield* run("key", "rotate", issued.id, "--app", made.id)
        yield* run("key", "revoke", rotated.id, "--app", made.id)
        const keys = yield* run("key", "list", "--app", made.id)
        expect(keys.every(({ revoked_at }: { readonly revoked_at: string | null }) => revoked_at !== null)).toBe(true)
        const client = yield* run("oauth-client", "create", "--app", made.id)
        expect(client.client_secret).toMatch(/^parley_secret_[0-9A-Za-z]{32}$/)
        const renewed = yield* run("oauth-client", "rotate", client.id, "--app", made.id)
        expect(renewed.client_id).toBe(client.client_id)
        expect(renewed.client_secret).not.toBe(client.client_secret)
        const revoked = yield* run("oauth-client", "revoke", client.id, "--app", made.id)
        expect(yield* run("oauth-client", "list", "--app", made.id)).toEqual([revoked])
      }),
    300_000
  )

  it.scopedLive(
    "receives webhooks on this machine, checks them, and takes its endpoint away when it is stopped",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const { demo } = yield* serveDemo(folder)
        const listener = yield* parley(["endpoint", "listen"], { PARLEY_DATA_DIR: folder })
        yield* until("the listener is registered", () => (listener.output().includes("Receiving") ? true : undefined))
        const sent = yield* Effect.promise(() => sendTemplate(demo, "+15550199999", "heard"))
        const line = yield* until(
          "it prints the read receipt",
          () => /^.*message\.read.*$/m.exec(listener.output())?.[0]
        )
        expect(line).toContain("signature valid")
        expect(line).toContain(sent.body.data.message_id)
        listener.signal("SIGINT")
        expect(yield* listener.exit).toBe(0)
        const endpoints = `/applications/${demo.application_id}/webhook-endpoints`
        expect(yield* callAdmin(demo, "GET", endpoints)).toEqual([])
      }),
    300_000
  )

  it.scopedLive(
    "prints tables for people",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        yield* serveDemo(folder)
        const { output } = yield* outcomeOf(["template", "list"], { PARLEY_DATA_DIR: folder })
        const [head, row, ...rest] = output.trimEnd().split("\n")
        expect(head).toMatch(/^ID +NAME +CHANNEL +LANGUAGE +STATUS +BODY$/)
        expect(row).toMatch(/ order_shipped +whatsapp +en +approved +Hello /)
        expect(rest).toEqual([])
      }),
    300_000
  )

  it.scopedLive(
    "tells what went wrong, and by its exit code whose fault it was",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const { demo } = yield* serveDemo(folder)
        const run = (words: ReadonlyArray<string>) => outcomeOf(words, { PARLEY_DATA_DIR: folder })

        const refused = yield* run(["endpoint", "add", "http://10.0.0.1/hook"])
        expect(refused).toMatchObject({ code: 1, output: expect.stringMatching(/validation_failed.*\n *url: must be/) })
        const stranger = yield* run(["app", "list", "--token", "wrong"])
        expect(stranger).toMatchObject({ code: 1, output: expect.stringContaining("unauthenticated") })
        expect(stranger.output).not.toContain(demo.admin_token)
        const nobody = yield* run(["app", "list", "--url", "http://127.0.0.1:1"])
        expect(nobody.code).toBe(1)
        expect(nobody.output.trim()).toBe("There is no Parley at http://127.0.0.1:1; start it with npm start")
        const elsewhere = yield* outcomeOf(["app", "list"], { PARLEY_DATA_DIR: yield* temporaryFolder })
        expect(elsewhere).toMatchObject({ code: 1, output: expect.stringContaining("There is no admin token") })

        for (const words of [["bogus"], ["endpoint", "add"], ["app", "list", "--bogus"], ["app", "list", "more"]]) {
          expect((yield* run(words)).code).toBe(2)
        }
        const help = yield* run(["endpoint", "add", "--help"])
        expect(help).toMatchObject({ code: 0, output: expect.stringContaining("Example: parley endpoint add http") })
      }),
    300_000
  )
})
