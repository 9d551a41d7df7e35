import type { InboundEvent } from "@parley/core"
import { telegramUpdate, withoutRaw } from "@parley/testkit"
import { Effect } from "effect"
import { expect } from "vitest"
import { parse } from "../src/webhook/parse.js"

/** Whose chat id it is. */
export const customer = 123456789

/** The events of an update, for the connection of the request. */
export const receives = (
  reported: { readonly [kind: string]: unknown },
  business: ReadonlyArray<string> | null = null
): Effect.Effect<ReadonlyArray<InboundEvent>, unknown> =>
  Effect.map(parse(telegramUpdate("secret", 1, reported), business), (all) => {
    expect(all.map(({ account }) => account)).toEqual([null])
    return all.flatMap(({ events }) => withoutRaw(events))
  })

/** The customer's message, whose number is 7. */
export const said = (fields: object): object => acted({ at: 1_790_000_000_000, ...fields })

/** What the customer did without a time that counts: an edit, a reaction, a pressed button. */
export const acted = (fields: object): object => ({
  _tag: "Message",
  providerMessageId: "123456789:7",
  from: "123456789",
  body: "",
  subject: null,
  displayName: "Ada",
  content: null,
  attachments: [],
  automatic: false,
  ...fields
})

/** Something that is not known. */
export const kept = (kind: string, value: unknown): object => ({ _tag: "Unknown", kind, raw: JSON.stringify(value) })
