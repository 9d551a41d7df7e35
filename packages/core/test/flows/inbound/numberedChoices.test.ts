import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { Effect, Ref } from "effect"
import { Inbound } from "../../../src/flows/inbound/Inbound.js"
import { lookup, Storage } from "../../../src/ports/Storage.js"
import { fingerprint } from "../../../src/resources/access/fingerprint.js"
import { Messages } from "../../../src/resources/messages/Messages.js"
import { decodeSendMessageInput } from "../../../src/resources/messages/SendMessageInput.js"
import { engine, newTenant, Provider, type Tenant } from "../../harness.js"

const ada = "+491701000001"

/** Asks on a channel without choices. Returns the id of the question. */
const ask = (tenant: Tenant, body: string, ...ids: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const options = ids.map((id) => ({ id, title: `The ${id}` }))
    const json = { channel: "whatsapp", to: ada, type: "choices", message: { body, content: { options } } }
    const answer = yield* (yield* Messages).send(tenant.caller, {
      decoded: decodeSendMessageInput(json),
      idempotency: { key: body, fingerprint: fingerprint("POST", "/messages", json) },
      requestId: "request"
    })
    expect(answer.status).toBe(202)
    return JSON.parse(answer.body).data.message_id as string
  })

const write = ({ connection }: Tenant, providerMessageId: string, body: string) =>
  Effect.flatMap(Inbound, (inbound) =>
    inbound.receive(connection, { providerMessageId, from: ada, body, displayName: null })
  )

const press = ({ connection }: Tenant, providerMessageId: string, id: string, quoted?: { providerMessageId: string }) =>
  Effect.flatMap(Inbound, (inbound) =>
    inbound.receive(connection, {
      providerMessageId,
      from: ada,
      body: id,
      displayName: null,
      content: { type: "choice", id, title: id },
      ...(quoted === undefined ? {} : { quoted })
    })
  )

for (const [name, storage] of databases) {
  layer(engine(storage, 30_000), { excludeTestServices: true, timeout: 60_000 })(
    `choices on a channel without them on ${name}`,
    (it) => {
      it.effect("are sent as numbered text, and a number or a title in answer is a choice", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const day = yield* ask(tenant, "Which day?", "monday", "tuesday")
          const { handed } = yield* Provider
          expect((yield* Ref.get(handed)).find(({ id }) => id === day)).toMatchObject({
            body: "Which day?\n1. The monday\n2. The tuesday",
            content: null
          })
          expect(yield* write(tenant, "1", "any")).toMatchObject({ type: "text", body: "any", content: null })
          const choice = yield* write(tenant, "2", "2")
          expect(choice).toMatchObject({
            type: "choice",
            body: "The tuesday",
            content: { type: "choice", id: "tuesday", title: "The tuesday", timing: "first" },
            envelope: { quoted: { messageId: day, applicationId: tenant.application.id } }
          })
          expect(yield* write(tenant, "2", "2")).toEqual(choice)
          const { events, messages } = yield* (yield* Storage).read({
            events: lookup("events", { subjectId: choice.id }),
            messages: lookup("messages", { id: day })
          })
          expect(messages).toMatchObject([{ type: "choices", body: "Which day?", status: "sent" }])
          expect(events.map(({ data, type }) => [type, JSON.parse(data).message.content.id])).toEqual([
            ["message.received", "tuesday"]
          ])
        })
      )

      it.effect("tell late and repeated presses apart, also where the vendor does not name the question", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const day = yield* ask(tenant, "Which day?", "monday", "tuesday")
          const { messages } = yield* (yield* Storage).read({ messages: lookup("messages", { id: day }) })
          const named = { providerMessageId: messages[0]?.providerMessageId ?? "" }
          const timings: Array<unknown> = []
          for (const [id, option, quoted] of [
            ["1", "monday", named],
            ["1", "monday", named],
            ["2", "tuesday", undefined],
            ["3", "evening", { providerMessageId: "unknown" }]
          ] as const) {
            const { content, envelope } = yield* press(tenant, id, option, quoted)
            timings.push([content?.type === "choice" && content.timing, envelope?.quoted?.messageId ?? null])
          }
          const hour = yield* ask(tenant, "Which hour?", "morning", "evening")
          const week = yield* ask(tenant, "Which week?", "this", "next")
          const late = yield* press(tenant, "4", "evening")
          const newest = yield* press(tenant, "5", "next")
          expect([...timings, late.content, newest.content]).toMatchObject([
            ["first", day],
            ["first", day],
            ["repeated", day],
            [undefined, null],
            { id: "evening", timing: "late" },
            { id: "next", timing: "first" }
          ])
          expect([late, newest].map(({ envelope }) => envelope?.quoted?.messageId)).toEqual([hour, week])
        })
      )

      it.effect("are answered once, and only the newest ones", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          yield* ask(tenant, "Which day?", "monday", "tuesday")
          const hour = yield* ask(tenant, "Which hour?", "morning", "evening")
          expect(yield* write(tenant, "1", "the Monday")).toMatchObject({ type: "text" })
          expect(yield* write(tenant, "2", "The evening.")).toMatchObject({
            content: { id: "evening" },
            envelope: { quoted: { messageId: hour } }
          })
          expect(yield* write(tenant, "3", "1")).toMatchObject({ type: "text", body: "1", content: null })
        })
      )
    }
  )
}
