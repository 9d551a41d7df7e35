import { expect, layer } from "@effect/vitest"
import { lanes } from "@parley/core"
import { Context, Effect, Layer } from "effect"
import type { DemoFile } from "../src/demo/DemoFile.js"
import { callAdmin, sendTemplate } from "./calls.js"
import { runParley } from "./commands/runParley.js"
import { outcomeOf, parley, serveDemo, temporaryFolder } from "./processes.js"
import { until } from "./until.js"

/** One host for all these tests, and its data folder. */
class Host extends Context.Tag("test/Host")<Host, { readonly demo: DemoFile; readonly folder: string }>() {}

const host = Layer.scoped(
  Host,
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const { demo } = yield* serveDemo(folder)
    // The environment of a user who types commands beside the demo.
    yield* Effect.acquireRelease(
      Effect.sync(() => {
        process.env.PARLEY_DATA_DIR = folder
      }),
      () =>
        Effect.sync(() => {
          delete process.env.PARLEY_DATA_DIR
        })
    )
    return { demo, folder }
  })
)

/** Timeout of a test on a slow machine, in ms. */
const timeout = 120_000

/** The one document that a command prints with `--json`. */
const one = (...message: ReadonlyArray<string>) =>
  Effect.map(runParley([...message, "--json"]), ({ code, errors, output }) => {
    expect([message, code, errors]).toEqual([message, 0, ""])
    return JSON.parse(output)
  })

/** The objects that a list prints with `--json`: one a line. */
const many = (...message: ReadonlyArray<string>) =>
  Effect.map(runParley([...message, "--json"]), ({ code, errors, output }) => {
    expect([message, code, errors]).toEqual([message, 0, ""])
    return output === "" ? [] : output.split("\n").map((line) => JSON.parse(line))
  })

layer(host, { excludeTestServices: true, timeout })("the parley command", (it) => {
  it.effect(
    "sets up the demo with nothing else given",
    () =>
      Effect.gen(function* () {
        const { demo } = yield* Host
        expect((yield* one("app", "show")).id).toBe(demo.application_id)
        expect(yield* many("connection", "list")).toHaveLength(6)
        const template = yield* one("template", "add", "hello", "Hello {{1}}")
        expect(template).toMatchObject({ status: "draft", language: "en" })
        expect(
          yield* one("template", "update", template.id, "--status", "approved", "--body", "Hi {{1}}")
        ).toMatchObject({
          status: "approved",
          body: "Hi {{1}}"
        })
        const workflow = yield* one("workflow", "create", "Tell of shipping", "order.shipped")
        expect(workflow).toMatchObject({ status: "draft", trigger: { type: "external_event", event: "order.shipped" } })
        expect((yield* one("workflow", "update", workflow.id, "--event", "order.sent")).trigger.event).toBe(
          "order.sent"
        )
        // A workflow without actions cannot be published.
        expect((yield* runParley(["workflow", "publish", workflow.id])).errors).toContain("at least one action")
        expect(yield* many("workflow", "list")).toEqual([yield* one("workflow", "show", workflow.id)])
        const pipeline = yield* one("pipeline", "create", "Renewals", "due, won=Sold = paid")
        expect(pipeline.stages).toEqual([
          { key: "due", name: "due" },
          { key: "won", name: "Sold = paid" }
        ])
        expect((yield* one("pipeline", "update", pipeline.id, "--name", "Again")).name).toBe("Again")
        expect((yield* many("pipeline", "list")).map(({ name }) => name)).toEqual(["Again", "Sales"])
        const field = yield* one("custom-field", "create", "size", "--type", "number")
        expect(field).toMatchObject({ key: "size", type: "number", label: "size" })
        expect(yield* many("custom-field", "list")).toEqual([field])
        const agent = yield* one("agent", "create", "Grace Hopper", "--email", "grace@acme.example")
        expect(yield* one("agent", "update", agent.id, "--email", "", "--status", "inactive")).toMatchObject({
          email: null,
          status: "inactive"
        })
        expect(yield* many("agent", "list")).toEqual([yield* one("agent", "show", agent.id)])
        const team = yield* one("team", "create", "Front desk", "--agents", agent.id)
        expect(team.agent_ids).toEqual([agent.id])
        expect(yield* one("team", "update", team.id, "--agents", "")).toMatchObject({
          agent_ids: [],
          name: "Front desk"
        })
        expect((yield* many("team", "list")).map(({ id }) => id)).toEqual([team.id])
        const inbound = yield* one("connection", "simulate-inbound", "whatsapp", "+15550123456", "Hi", "--name", "Ada")
        expect(inbound).toMatchObject({ direction: "inbound", body: "Hi", connection_id: demo.connections.whatsapp })
      }),
    timeout
  )

  it.effect(
    "sets up a workspace with a connection, an application and a workflow",
    () =>
      Effect.gen(function* () {
        const workspace = yield* one("workspace", "create", "Acme", "--language", "de", "--timezone", "Europe/Berlin")
        const inIt = ["--workspace", workspace.id]
        const connection = yield* one("connection", "add", "email", "a@acme.example", ...inIt, "--test")
        const app = yield* one("app", "create", "Shop", ...inIt, "--connections", connection.id)
        expect(app).toMatchObject({ mode: "test", connection_ids: [connection.id] })
        const restricted = yield* one(
          ...["app", "update", app.id, "--scopes", "contacts.read", "--connections", "", "--status", "suspended"],
          ...["--sends-per-minute", "7"]
        )
        expect(restricted).toMatchObject({
          name: "Shop",
          scopes: ["contacts.read"],
          connection_ids: [],
          status: "suspended",
          limits: { requests_per_minute: 600, sends_per_minute: 7 }
        })
        expect(yield* one("app", "show", app.id)).toEqual(restricted)
        expect(yield* one("connection", "update", connection.id, "--status", "paused")).toMatchObject({
          status: "paused",
          name: "a@acme.example"
        })
        const of = ["--app", app.id]
        const issued = yield* one("key", "issue", ...of)
        expect(issued.key).toMatch(/^parley_test_[0-9A-Za-z]{32}$/)
        const rotated = yield* one("key", "rotate", issued.id, ...of)
        yield* one("key", "revoke", rotated.id, ...of)
        const keys = yield* many("key", "list", ...of)
        expect(keys.map(({ revoked_at }) => revoked_at === null)).toEqual([false, false])
        const client = yield* one("oauth-client", "create", ...of)
        expect(client.client_secret).toMatch(/^parley_secret_[0-9A-Za-z]{32}$/)
        const renewed = yield* one("oauth-client", "rotate", client.id, ...of)
        expect(renewed.client_id).toBe(client.client_id)
        expect(renewed.client_secret).not.toBe(client.client_secret)
        const revoked = yield* one("oauth-client", "revoke", client.id, ...of)
        expect(yield* many("oauth-client", "list", ...of)).toEqual([revoked])
        const moved = yield* one("workspace", "update", workspace.id, "--timezone", "Asia/Kolkata")
        expect([workspace.timezone, moved.timezone]).toEqual(["Europe/Berlin", "Asia/Kolkata"])
        expect(yield* one("workspace", "update", workspace.id, "--status", "suspended")).toMatchObject({
          name: "Acme",
          default_language: "de",
          status: "suspended"
        })
      }),
    timeout
  )

  it.effect(
    "registers, rotates and tests webhook endpoints",
    () =>
      Effect.gen(function* () {
        const added = yield* one("endpoint", "add", "http://127.0.0.1:9/hook", "--events", "message.sent,message.read")
        expect(added).toMatchObject({
          events: ["message.sent", "message.read"],
          secret: expect.stringMatching(/^whsec_/)
        })
        expect((yield* many("endpoint", "list")).map(({ id }) => id)).toContain(added.id)
        expect((yield* one("endpoint", "rotate", added.id)).secret).not.toBe(added.secret)
        yield* one("endpoint", "test", added.id)
        expect(yield* many("endpoint", "deliveries", added.id)).toMatchObject([{ event_type: "webhook.test" }])
      }),
    timeout
  )

  it.effect(
    "prints tables with the requested number of rows",
    () =>
      Effect.gen(function* () {
        const { code, errors, output } = yield* runParley(["connection", "list", "--limit", "2"])
        expect([code, errors]).toEqual([0, "… and older ones: see --limit and --all"])
        const [head, row, ...rest] = output.split("\n")
        expect(head).toMatch(/^ID +CHANNEL +PROVIDER +NAME +HANDLE +STATUS +IS TEST +WORKSPACE ID$/)
        expect(row).toMatch(/^[0-9a-f-]{36} {2}\w+ +sandbox /)
        expect(rest).toHaveLength(1)
        const all = yield* many("connection", "list", "--all")
        expect(all.length).toBeGreaterThanOrEqual(6)
        const pipelines = yield* runParley(["pipeline", "list"])
        expect(pipelines.output).toMatch(/^[0-9a-f-]{36} {2}Sales +new, contacted, offer, won, lost +[0-9a-f-]{36}$/m)
        const other = yield* one("workspace", "create", "Empty")
        expect(yield* runParley(["template", "list", "--workspace", other.id])).toEqual({
          code: 0,
          output: "",
          errors: "None."
        })
      }),
    timeout
  )

  it.effect(
    "shows the status on a page",
    () =>
      Effect.gen(function* () {
        const { demo } = yield* Host
        const { code, errors, output } = yield* runParley(["status"])
        expect([code, errors]).toEqual([0, ""])
        expect(output).toContain(`Parley at ${demo.base_url} is ready`)
        for (const lane of lanes) {
          expect(output).toMatch(new RegExp(`^ {2}${lane} +\\d+ +\\d+ +\\d+ +\\S`, "m"))
        }
        expect((yield* one("status")).lanes).toHaveLength(lanes.length)
      }),
    timeout
  )

  it.effect(
    "prints the refusal and the remedy",
    () =>
      Effect.gen(function* () {
        const { demo } = yield* Host
        const unknownId = "0190a1b2-0000-7000-8000-00000000dead"
        const refusals: ReadonlyArray<
          readonly [args: ReadonlyArray<string>, expected: ReadonlyArray<string | RegExp>]
        > = [
          [
            ["endpoint", "add", "http://10.0.0.1/hook"],
            [/\(validation_failed, request \S+\)\n {2}url: must be/, "PARLEY_WEBHOOK_ALLOW"]
          ],
          [["endpoint", "enable", unknownId], [`There is no webhook endpoint ${unknownId}. (not_found, request `]],
          [["connection", "simulate-inbound", "whatsap", "+15550123456", "Hi"], ["There is no connection whatsap."]],
          [["key", "revoke", unknownId], [`There is no api key ${unknownId} of application ${demo.application_id}.`]],
          [
            ["agent", "create", "", "--email", "nobody"],
            ["  name: is required", "  email: must"]
          ],
          [
            ["app", "list", "--token", "wrong"],
            ["(unauthenticated, request ", "is from --token", "PARLEY_ADMIN_TOKEN"]
          ],
          [["connection", "update", unknownId, "--credentials", "/nowhere.json"], ["/nowhere.json cannot be read"]]
        ]
        for (const [message, reported] of refusals) {
          const { code, errors, output } = yield* runParley(message)
          expect([message, code, output]).toEqual([message, 1, ""])
          for (const part of reported) expect(errors).toMatch(part)
          expect(errors).not.toContain(demo.admin_token)
        }
      }),
    timeout
  )

  it.effect(
    "exits with a code by cause",
    () =>
      Effect.gen(function* () {
        const { folder } = yield* Host
        const run = (message: ReadonlyArray<string>) => outcomeOf(message, { PARLEY_DATA_DIR: folder })
        const lines: ReadonlyArray<readonly [args: ReadonlyArray<string>, code: number, expected: string]> = [
          [["app", "list"], 0, "Demo shop"],
          [["app", "show", "unknown"], 1, "There is no application unknown."],
          [["app", "lst"], 2, "Did you mean list"],
          [["app", "list", "--server", "http://127.0.0.1:1"], 3, "No Parley answers at http://127.0.0.1:1"]
        ]
        for (const [message, code, reported] of lines) {
          expect(yield* run(message)).toEqual({ code, output: expect.stringContaining(reported) })
        }
        const elsewhere = yield* outcomeOf(["app", "list"], { PARLEY_DATA_DIR: `${folder}/elsewhere` })
        expect(elsewhere).toEqual({ code: 1, output: expect.stringContaining("There is no admin token") })
      }),
    timeout
  )

  it.scoped(
    "receives webhooks on this machine, verifies them, and removes its endpoint when it stops",
    () =>
      Effect.gen(function* () {
        const { demo, folder } = yield* Host
        const endpoints = Effect.map(
          callAdmin(demo, "GET", `/applications/${demo.application_id}/webhook-endpoints`),
          (rows) => (rows as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id)
        )
        const before = yield* endpoints
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
        expect(yield* endpoints).toEqual(before)
      }),
    timeout
  )
})
