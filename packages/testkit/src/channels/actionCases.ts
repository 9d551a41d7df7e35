import assert from "node:assert/strict"
import { type InboundEvent, MessageContent } from "@parley/core"
import { Effect, Schema } from "effect"
import { channelEngine } from "./ChannelEngine.js"
import { type ChannelFixture, type CustomerAction, quotedBy } from "./ChannelFixture.js"
import { type ContractCase, isLacking } from "./ContractCase.js"
import { now } from "./opened.js"
import { VendorEvent } from "./VendorEvent.js"
import { type CalledWebhook, webhookCase } from "./webhookCase.js"

const isContent = Schema.is(Schema.NullOr(MessageContent))

/** Actions of customers beyond texts: buttons, locations, files, reactions, … */
export const actionCases = <Vendor>(fixture: ChannelFixture<Vendor>): ReadonlyArray<ContractCase> => {
  const { handles, webhook } = fixture
  const actions = isLacking(webhook) || isLacking(webhook.actions) ? [] : webhook.actions
  const eventOf = ({ what }: CustomerAction, number: number) =>
    VendorEvent.Action({ what, number, from: handles.good[0].vendor, at: now - 60_000 })
  const messagesOf = ({ events, request }: CalledWebhook<Vendor>, ...reported: ReadonlyArray<VendorEvent>) =>
    Effect.map(events(request(reported)), (parsed) => parsed.filter(isMessage))

  return [
    ...actions.map((action) =>
      webhookCase(
        fixture,
        `reports ${action.what} as ${action.type}`,
        ({ actions }) => actions,
        (called) =>
          Effect.gen(function* () {
            const [message, ...others] = yield* messagesOf(called, eventOf(action, 1))
            assert.ok(message, "no message is reported")
            assert.deepEqual(others, [])
            const { content = null, quoted = null } = message
            assert.ok(isContent(content), `not of the shape of content: ${JSON.stringify(content)}`)
            assert.deepEqual(content, action.content ?? null)
            if (content !== null) assert.equal(content.type, action.type)
            assert.equal(message.body, action.body)
            assert.equal(quoted?.providerMessageId ?? null, quotedBy(action, 1))
            assert.deepEqual(
              message.attachments.map(({ type }) => type),
              action.files ?? []
            )
            for (const { content } of message.attachments) {
              if (content instanceof Uint8Array) continue
              assert.ok(called.provider.fetchFile, "a file has a reference, and the provider has no fetchFile")
              const { length } = content.reference
              assert.ok(length > 0 && length <= 4_000, "the reference of a file is not text of 1 to 4,000 characters")
            }
            assert.equal(message.forwarded ?? false, action.forwarded ?? false)
            if (action.referral !== undefined) assert.deepEqual(message.referral, action.referral)
            if (action.groupId !== undefined) assert.equal(message.groupId, action.groupId)
            const [again] = yield* messagesOf(called, eventOf(action, 1))
            assert.equal(again?.providerMessageId, message.providerMessageId, "a redelivery has another id")
            const [next] = yield* messagesOf(called, eventOf(action, 2))
            assert.notEqual(next?.providerMessageId, message.providerMessageId, "two actions have one id")
          })
      )
    ),
    webhookCase(
      fixture,
      "stores every action of a customer with its type, once",
      ({ actions }) => actions,
      (called, actions) =>
        Effect.gen(function* () {
          const engine = yield* channelEngine(called.provider, called.account)
          for (const [index, action] of actions.entries()) {
            const request = called.request([eventOf(action, index + 1)])
            yield* engine.call(request)
            yield* engine.call(request)
          }
          const stored = (yield* engine.inbound(handles.good[0].normalised)).map(({ type }) => type)
          assert.deepEqual(stored.sort(), actions.map(({ type }) => type).sort())
        })
    )
  ]
}

const isMessage = (event: InboundEvent): event is InboundEvent & { readonly _tag: "Message" } =>
  event._tag === "Message"
