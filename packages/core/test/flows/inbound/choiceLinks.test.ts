import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { Effect } from "effect"
import { ChoiceLinks } from "../../../src/flows/inbound/ChoiceLinks.js"
import { changes, expect as expected, set } from "../../../src/ports/Changes.js"
import { SecretBox } from "../../../src/ports/SecretBox.js"
import { lookup, Storage } from "../../../src/ports/Storage.js"
import { fingerprint } from "../../../src/resources/access/fingerprint.js"
import { Messages } from "../../../src/resources/messages/Messages.js"
import { decodeSendMessageInput } from "../../../src/resources/messages/SendMessageInput.js"
import { type SignedIdPurpose, signedId } from "../../../src/resources/messages/signedId.js"
import { engine, newTenant, type Tenant } from "../../harness.js"

const send = (tenant: Tenant, json: { readonly type: string; readonly message: unknown }) =>
  Effect.gen(function* () {
    const whole = { channel: "whatsapp", to: "+491701000001", ...json }
    const answer = yield* (yield* Messages).send(tenant.caller, {
      decoded: decodeSendMessageInput(whole),
      idempotency: { key: JSON.stringify(json), fingerprint: fingerprint("POST", "/messages", whole) },
      requestId: "request"
    })
    return JSON.parse(answer.body).data.message_id as string
  })

const question = {
  type: "choices",
  message: {
    body: "Which day?",
    content: {
      options: [
        { id: "mon", title: "Monday" },
        { id: "tue", title: "Tuesday" }
      ]
    }
  }
}

const link = (messageId: string, purpose: SignedIdPurpose = "choose") =>
  Effect.map(SecretBox, (secretBox) => signedId(secretBox, purpose, messageId))

const received = ({ workspace }: Tenant) =>
  Effect.gen(function* () {
    const { messages } = yield* (yield* Storage).read({
      messages: lookup("messages", { workspaceId: workspace.id, direction: "inbound" })
    })
    return messages
  })

for (const [name, storage] of databases) {
  layer(engine(storage, 30_000), { excludeTestServices: true, timeout: 60_000 })(
    `links of choices on ${name}`,
    (it) => {
      it.effect("show the question, and store each option once, as the recipient's choice", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const links = yield* ChoiceLinks
          const id = yield* send(tenant, question)
          const signed = yield* link(id)
          expect(yield* links.question(signed)).toMatchObject({
            body: "Which day?",
            options: [{ id: "mon" }, { id: "tue" }]
          })
          expect(yield* received(tenant)).toEqual([])
          const posts = yield* Effect.all([links.choose(signed, 2), links.choose(signed, 2)], {
            concurrency: "unbounded"
          })
          expect(posts).toEqual(["Tuesday", "Tuesday"])
          const [choice, ...others] = yield* received(tenant)
          expect(others).toEqual([])
          expect(choice).toMatchObject({
            type: "choice",
            body: "Tuesday",
            content: { type: "choice", id: "tue", title: "Tuesday", timing: "first" },
            envelope: { quoted: { messageId: id } }
          })
          expect(yield* links.choose(signed, 1)).toBe("Monday")
          expect(yield* links.choose(signed, 1)).toBe("Monday")
          const both = (yield* received(tenant)).map(({ content }) => content?.type === "choice" && content.timing)
          expect(both.sort()).toEqual(["first", "repeated"])
        })
      )

      it.effect("store one of two options that are chosen at once as the first", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const links = yield* ChoiceLinks
          const signed = yield* link(yield* send(tenant, question))
          yield* Effect.all([links.choose(signed, 1), links.choose(signed, 2)], { concurrency: "unbounded" })
          const timings = (yield* received(tenant)).map(({ content }) => content?.type === "choice" && content.timing)
          expect(timings.sort()).toEqual(["first", "repeated"])
        })
      )

      it.effect("answer no other question where the vendor gave the question no id", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const links = yield* ChoiceLinks
          const id = yield* send(tenant, question)
          yield* send(tenant, { ...question, message: { ...question.message, body: "Which day else?" } })
          yield* (yield* Storage).commit(
            changes(tenant.workspace.id, {
              expects: [expected("messages", { id })],
              sets: [set("messages", { id }, { providerMessageId: null })]
            })
          )
          yield* links.choose(yield* link(id), 1)
          const [choice] = yield* received(tenant)
          expect(choice).toMatchObject({
            content: { id: "mon", title: "Monday" },
            envelope: { quoted: { messageId: null, providerMessageId: id } }
          })
        })
      )

      it.effect("lead nowhere if they were not given out for this question", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const links = yield* ChoiceLinks
          const id = yield* send(tenant, question)
          const text = yield* send(tenant, { type: "text", message: { body: "Hello" } })
          const deleted = "01900000-0000-7000-8000-0000000000aa"
          const wrong = [yield* link(id, "unsubscribe"), yield* link(text), yield* link(deleted), "", "x".repeat(42)]
          for (const signed of wrong) {
            expect(yield* links.question(signed)).toBeNull()
            expect(yield* links.choose(signed, 1)).toBeNull()
          }
          expect(yield* links.choose(yield* link(id), 3)).toBeNull()
          expect(yield* received(tenant)).toEqual([])
        })
      )
    }
  )
}
