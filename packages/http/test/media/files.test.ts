import { expect, layer } from "@effect/vitest"
import {
  Administration,
  allowAll,
  Blobs,
  ChannelProviders,
  changes,
  channelProviders,
  Engine,
  engineSettings,
  HttpSender,
  hashOf,
  Ids,
  Inbound,
  InboundEvent,
  readById,
  row,
  SecretBox,
  Storage,
  scopes,
  type Wakeup
} from "@parley/core"
import { AesSecretBox, LogNotifier, MemoryBlobs, SecretKey, UuidIds } from "@parley/node"
import { scriptedVendor } from "@parley/testkit"
import { databases } from "@parley/testkit/databases"
import { aConnection, anAgent, anApiKey, anApplication, anEndpoint, aWorkspace } from "@parley/testkit/rows"
import { Context, Effect, Layer, Option, Redacted, Stream } from "effect"
import { adminModule, makeInterpreter, publicModule } from "../../src/index.js"
import { type Fetch, transports } from "../inbound/transports.js"

const adminToken = "admin-token"
const key = "parley_live_0123456789abcdefghijklmnopqrstuv"
const picture = new Uint8Array(300_000).map((_, index) => index % 251)

const provider = {
  ...scriptedVendor,
  fetchFile: () =>
    Effect.succeed({
      contentType: "image/png",
      fileName: "photo.png",
      bytes: Stream.make(picture.subarray(0, 100_000), picture.subarray(100_000))
    })
}

const idOf = (n: number) => `01900000-0000-7000-8000-00000000000${n}`
const workspace = aWorkspace({ id: idOf(1) })
const connection = aConnection({
  id: idOf(2),
  workspaceId: workspace.id,
  channel: "telegram",
  provider: "vendor",
  credentials: null
})
const application = anApplication({ id: idOf(3), workspaceId: workspace.id, scopes, connectionIds: [connection.id] })
const apiKey = anApiKey({ id: idOf(4), workspaceId: workspace.id, applicationId: application.id, hash: hashOf(key) })

/** Bodies of webhooks so far. */
class Received extends Context.Tag("test/Heard")<Received, Array<string>>() {}

const engine = <E>(storage: Layer.Layer<Storage | Wakeup, E>) => {
  const received: Array<string> = []
  const ports = Layer.mergeAll(
    storage,
    UuidIds.layer,
    LogNotifier.layer,
    MemoryBlobs.layer,
    allowAll,
    engineSettings({ verdictWait: 0, publicUrl: "https://acme.example/messaging" }),
    Layer.unwrapEffect(
      Effect.map(SecretKey.parse(Buffer.alloc(32, 7).toString("base64"), "key"), (key) => AesSecretBox.layer(key))
    ),
    Layer.succeed(ChannelProviders, channelProviders([provider])),
    Layer.succeed(HttpSender, {
      refusal: () => null,
      post: ({ body }) => {
        received.push(body)
        return Effect.succeed({ _tag: "Answered", status: 200, body: "" })
      }
    })
  )
  return Layer.mergeAll(Administration.layer, Engine.worker, Layer.succeed(Received, received)).pipe(
    Layer.provideMerge(Engine.layer),
    Layer.provideMerge(ports)
  )
}

const eventually = <A, E, R>(look: Effect.Effect<A, E, R>, holds: (value: A) => boolean): Effect.Effect<A, E, R> =>
  Effect.flatMap(look, (value) =>
    holds(value) ? Effect.succeed(value) : Effect.zipRight(Effect.sleep(20), eventually(look, holds))
  )

const read = (ask: Fetch, path: string, token: string) =>
  Effect.promise(async () => {
    const response = await ask(path, { headers: { authorization: `Bearer ${token}` } })
    return ((await response.json()) as { readonly data: any }).data
  })
/** Path after the base that a transport serves below. */
const target = (url: string): string => url.slice(url.indexOf("/media/"))
const isPicture = (ask: Fetch, url: string) =>
  Effect.promise(async () => {
    const response = await ask(target(url))
    expect(response.status).toBe(200)
    expect(response.headers.get("content-type")).toBe("image/png")
    expect(response.headers.get("content-length")).toBe(`${picture.length}`)
    return Buffer.from(await response.arrayBuffer()).equals(picture)
  })

for (const [name, storage] of databases) {
  layer(engine(storage), { excludeTestServices: true, timeout: 60_000 })(`a customer's picture on ${name}`, (it) => {
    it.scoped(
      "is downloaded by the links of messages and webhooks, over every transport",
      () =>
        Effect.gen(function* () {
          const store = yield* Storage
          const endpoint = anEndpoint({
            id: idOf(5),
            workspaceId: workspace.id,
            applicationId: application.id,
            events: ["message.received"],
            secret: (yield* SecretBox).seal("whsec_test")
          })
          yield* store.commit(
            changes(workspace.id, {
              claims: [row("workspaces", workspace), row("apiKeys", apiKey)],
              inserts: [row("applications", application), row("connections", connection), row("endpoints", endpoint)]
            })
          )
          const attachment = { type: "image" as const, contentType: null, fileName: null, content: { reference: "7" } }
          yield* (yield* Inbound).take(connection, [
            InboundEvent.Message({
              providerMessageId: "1",
              from: "ada",
              body: "",
              subject: null,
              displayName: "Ada",
              attachments: [attachment],
              automatic: false
            })
          ])
          const [message] = yield* eventually(
            store.list({ from: "messages", where: { workspaceId: workspace.id }, after: null, limit: 10 }),
            ([message]) => message?.attachments[0]?.size === picture.length
          )
          const received = yield* Received
          yield* eventually(
            Effect.sync(() => received.length),
            (count) => count > 0
          )
          const reported = JSON.parse(received[0] ?? "").data.message.attachments[0]
          expect(reported.url).toMatch(/^https:\/\/acme\.example\/messaging\/media\//)
          // Stored events have no link, because it would expire.
          const events = yield* store.list({
            from: "events",
            where: { workspaceId: workspace.id },
            after: null,
            limit: 10
          })
          expect(events.map(({ data }) => data).join()).not.toContain("/media/")

          const interpreter = yield* makeInterpreter({
            modules: [yield* publicModule, yield* adminModule(Redacted.make(adminToken))]
          })
          for (const [, open] of transports) {
            const ask = yield* open(interpreter)
            expect(yield* isPicture(ask, reported.url)).toBe(true)
            const conversation = `/api/v1/conversations/${message?.conversationId}/messages`
            const shown = [
              (yield* read(ask, conversation, key))[0],
              yield* read(ask, `/api/v1/messages/${message?.id}`, key),
              yield* read(ask, `/admin/v1/messages/${message?.id}`, adminToken),
              (yield* read(ask, `/admin/v1/messages?workspace_id=${workspace.id}`, adminToken))[0]
            ]
            for (const { attachments } of shown) {
              const [{ expires_at, url, ...rest }] = attachments
              expect(rest).toEqual({
                id: message?.attachments[0]?.id,
                type: "image",
                content_type: "image/png",
                file_name: "photo.png",
                size: picture.length
              })
              expect(Date.parse(expires_at)).toBe(Number(new URL(url).searchParams.get("expires")) * 1_000)
              expect(yield* isPicture(ask, url)).toBe(true)
              const altered = yield* Effect.promise(() => ask(target(url).replace("expires=1", "expires=2")))
              expect(altered.status).toBe(403)
            }
          }
        }),
      120_000
    )

    it.scoped("may be the avatar of an agent, which an administrator replaces and removes", () =>
      Effect.gen(function* () {
        const store = yield* Storage
        const blobs = yield* Blobs
        const agent = anAgent({ id: (yield* Ids).next(Date.now()), workspaceId: workspace.id })
        yield* store.commit(changes(workspace.id, { inserts: [row("agents", agent)] }))
        const interpreter = yield* makeInterpreter({
          modules: [yield* publicModule, yield* adminModule(Redacted.make(adminToken))]
        })
        const [, open] = transports[0] ?? []
        const ask = yield* open?.(interpreter) ?? Effect.dieMessage("there are transports")
        const update = (avatar: string | null) =>
          Effect.promise(async () => {
            const response = await ask(`/admin/v1/agents/${agent.id}`, {
              method: "PATCH",
              headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
              body: JSON.stringify({ avatar })
            })
            const { data, error } = (await response.json()) as any
            return { status: response.status, url: data?.avatar_url as string | null, details: error?.details }
          })
        const keyNow = Effect.map(readById(store, "agents", agent.id), (row) => row?.avatar?.key ?? "")
        const fetched = (url: string | null) =>
          Effect.promise(async () => {
            const response = await ask(target(url ?? ""))
            const bytes = Buffer.from(await response.arrayBuffer()).toString("base64")
            return { status: response.status, headers: response.headers, bytes }
          })

        const first = yield* update(png)
        expect(first.url).toContain(`/media/${agent.id}?`)
        const shown = yield* fetched(first.url)
        expect([shown.status, shown.bytes]).toEqual([200, png])
        expect(Object.fromEntries(shown.headers)).toMatchObject({
          "content-type": "image/png",
          "content-disposition": "inline",
          "content-security-policy": "sandbox; default-src 'none'",
          "x-content-type-options": "nosniff"
        })
        expect((yield* fetched((first.url ?? "").replace("expires=1", "expires=2"))).status).toBe(403)

        const before = yield* keyNow
        const second = yield* update(gif)
        expect(yield* fetched(second.url)).toMatchObject({ status: 200, bytes: gif })
        expect(Option.isNone(yield* blobs.get(before))).toBe(true)

        const svg = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>").toString("base64")
        const large = Buffer.concat([Buffer.from(png, "base64"), Buffer.alloc(262_144)]).toString("base64")
        for (const refused of [svg, large, "no base64!", Buffer.from("%PDF-1.7").toString("base64"), 7 as never]) {
          const answer = yield* update(refused)
          expect([answer.status, Object.keys(answer.details)]).toEqual([422, ["avatar"]])
        }
        expect(yield* fetched(second.url)).toMatchObject({ status: 200, bytes: gif })

        const key = yield* keyNow
        expect(yield* update(null)).toMatchObject({ status: 200, url: null })
        expect((yield* fetched(second.url)).status).toBe(404)
        expect(Option.isNone(yield* blobs.get(key))).toBe(true)
      })
    )
  })
}

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
const gif = "R0lGODlhAQABAAAAACwAAAAAAQABAAA="
