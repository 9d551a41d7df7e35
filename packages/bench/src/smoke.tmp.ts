import { createServer } from "node:http"
import { Access, allowAll, ChannelProviders, contactDraft, Contacts, Engine, engineSettings, fingerprint, hashOf, lookup, Messages, row, scopes, sendMessageDraft, Storage, changes, Inbound } from "@parley/core"
import { AesSecretBox, LogNotifier, NodeHttpSender, UuidIds } from "@parley/node"
import * as Sandbox from "@parley/channel-sandbox"
import * as Sqlite from "@parley/sqlite"
import { aWorkspace, anApiKey, anApplication, aConnection, aTemplate, anEndpoint } from "../../testkit/src/rows.js"
import { Effect, Layer, Logger, LogLevel } from "effect"
const server = createServer((req, res) => { let b = ""; req.on("data", (c) => (b += c)); req.on("end", () => { console.log("WEBHOOK", req.headers["x-event-type"], req.headers["x-webhook-signature"], b.slice(0, 150)); res.end("ok") }) }).listen(0)
const port = (server.address() as any).port
const box = AesSecretBox.make(new Uint8Array(32) as any)
const ports = Layer.mergeAll(
  Sqlite.layer({ file: ":memory:" }),
  UuidIds.layer, LogNotifier.layer, allowAll, engineSettings({}), AesSecretBox.layer(new Uint8Array(32) as any),
  NodeHttpSender.layer({ allow: ["127.0.0.0/8"], allowHttp: true } as any),
  Layer.succeed(ChannelProviders, { byKind: new Map([["sandbox", (Sandbox as any).SandboxProvider ?? (Sandbox as any).make()]]) })
)
const id = (n: number) => `01900000-0000-7000-8000-0000000000${n}`
const program = Effect.gen(function* () {
  const storage = yield* Storage
  const w = aWorkspace({ id: id(10) })
  yield* storage.commit(changes(w.id, { claims: [row("apiKeys", anApiKey({ id: id(12), workspaceId: w.id, applicationId: id(11), hash: hashOf("k") }))], inserts: [row("workspaces", w), row("applications", anApplication({ id: id(11), workspaceId: w.id, mode: "test", scopes, connectionIds: [id(13)], requestsPerMinute: 1000, sendsPerMinute: 1000 })), row("connections", aConnection({ id: id(13), workspaceId: w.id, isTest: true, channel: "whatsapp", provider: "sandbox", status: "active" })), row("endpoints", anEndpoint({ id: id(14), workspaceId: w.id, applicationId: id(11), url: `http://127.0.0.1:${port}/`, events: ["*"], secret: box.seal("whsec_x") })),
   row("templates", aTemplate({ id: id(15), workspaceId: w.id, channel: "whatsapp", name: "hello", language: "en", body: "Hi {{1}}", status: "approved" }))] }))
  const caller = yield* (yield* Access).authenticate("k", "write")
  const messages = yield* Messages
  const send = (key: string, body: any) => messages.send(caller, { draft: sendMessageDraft(body), idempotency: { key, fingerprint: fingerprint("POST", "/messages", body) }, requestId: "r" })
  const t = { channel: "whatsapp", to: "+49 170 1234567", type: "template", external_reference: "ref", message: { template: "hello", variables: ["Ada"] } }
  const one = yield* send("a", t)
  console.log(one, yield* send("a", t))
  console.log(yield* Effect.flip(send("b", { ...t, to: "+491700000001" })))
  console.log(yield* Effect.flip(send("c", { ...t, type: "text", message: { body: "hi" } })))
  const c = yield* (yield* Contacts).create(caller, { draft: contactDraft({ first_name: "Ada", email: "ada@x.org", tags: ["VIP"] }), idempotency: { key: "z", fingerprint: "f" } })
  console.log(c)
  const connection = (yield* storage.read({ c: lookup("connections", { id: id(13) }) })).c[0]!
  yield* (yield* Inbound).receive(connection, { providerMessageId: "in1", from: "+491701234567", body: "yo", displayName: "Ada L" })
  console.log(yield* send("d", { ...t, type: "text", message: { body: "hi" } }))
  yield* Effect.sleep(2000)
  console.log(yield* messages.get(caller, JSON.parse(one.body).data.message_id))
}).pipe(Effect.provide(Engine.layer.pipe(Layer.provideMerge(ports), (l) => Layer.provideMerge(Engine.worker, l))), Effect.provide(Logger.minimumLogLevel(LogLevel.Debug)))
Effect.runPromise(program as any).then(() => server.close(), (e) => { console.log(e); server.close() })
