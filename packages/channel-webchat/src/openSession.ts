import { randomUUID } from "node:crypto"
import { invalid, JsonObject, optionalText, refuse } from "@parley/core"
import { Effect, Schema } from "effect"
import { json } from "./answers.js"
import { bearerOf } from "./bearerOf.js"
import type { Answered, Call } from "./Call.js"
import { isSignedCustomer } from "./customerSignature.js"
import { inputOf } from "./inputOf.js"
import { passChallenge } from "./passChallenge.js"
import { readSession, sessionLength, signSession } from "./Session.js"
import { customerHandle, isCustomer, isCustomerId, type Visitor, visitorHandle } from "./Visitor.js"

const SessionInput = Schema.Struct({
  customer: optionalText(200),
  signature: optionalText(64),
  name: optionalText(100),
  answer: Schema.optionalWith(Schema.NullOr(JsonObject), { default: () => null })
})
type SessionInput = typeof SessionInput.Type

const sessionInput = inputOf(SessionInput)

/**
 * `POST /session`: opens a session for a customer with the site's signature, for the visitor of the given token, or for
 * a new visitor, who may have to answer a challenge first. Answers `{ data: { token, handle, expires_at } }`.
 */
export const openSession = (call: Call): Answered =>
  Effect.gen(function* () {
    const input = yield* sessionInput(call.request)
    const name = input.name?.replace(/\s+/g, " ").trim() || null
    const known = input.customer === null ? shown(call, name) : yield* customer(call, input, name)
    const { address } = call.request
    if (known === null && call.challenge !== null) {
      const tooMany = call.limits.challenge(address, call.now)
      if (tooMany !== null) return yield* call.refuseExcess(tooMany, address, call.now)
      yield* passChallenge(call, call.challenge, input.answer)
    }
    const excess = known === null ? call.limits.visitor(address, call.now) : null
    if (excess !== null) return yield* call.refuseExcess(excess, address, call.now)
    const visitor = known ?? { handle: visitorHandle(randomUUID()), name }
    const expires = call.now + sessionLength(visitor.handle)
    const token = signSession(call.credentials.visitor_secret, call.connection.id, { ...visitor, expires })
    return json(200, { data: { token, handle: visitor.handle, expires_at: new Date(expires).toISOString() } })
  })

/** The anonymous visitor of the given token. A customer requires the site's signature every time. */
const shown = ({ request, credentials, connection, now }: Call, name: string | null): Visitor | null => {
  const session = readSession(credentials.visitor_secret, connection.id, bearerOf(request), now)
  return session === null || isCustomer(session.handle) ? null : { handle: session.handle, name: name ?? session.name }
}

const customer = ({ credentials }: Call, { customer, signature }: SessionInput, name: string | null) =>
  Effect.gen(function* () {
    if (customer === null || !isCustomerId(customer)) {
      return yield* invalid({ customer: ["must be one line of 1 to 200 characters, without white space around it"] })
    }
    const secret = credentials.identity_secret
    if (secret === undefined)
      return yield* invalid({ customer: ["cannot be given: the connection has no identity_secret"] })
    if (!isSignedCustomer(secret, customer, signature ?? "")) {
      return yield* refuse(
        "forbidden",
        {},
        "The customer's signature is not the one of the connection's identity_secret."
      )
    }
    return { handle: customerHandle(customer), name }
  })
