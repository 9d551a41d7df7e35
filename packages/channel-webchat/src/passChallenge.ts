import { createHmac } from "node:crypto"
import { type Recorder, type Refusal, recorder, refuse } from "@parley/core"
import { Effect } from "effect"
import type { Call } from "./Call.js"
import type { NewVisitor, VisitorChallenge } from "./VisitorChallenge.js"

const challenges: Recorder<["outcome"]> = recorder({
  name: "parley_webchat_challenges_total",
  description: "Challenges of new web chat visitors, by outcome",
  labels: ["outcome"]
})

/**
 * Lets a new visitor pass who needs no challenge or has answered one. Otherwise fails with 403 `forbidden` and the
 * challenge in the details (docs/reference/webchat.md#challenges).
 */
export const passChallenge = (
  call: Call,
  challenge: VisitorChallenge,
  answer: { readonly [field: string]: unknown } | null
): Effect.Effect<void, Refusal> =>
  Effect.gen(function* () {
    const visitor = newVisitor(call)
    if (answer !== null) {
      const isValid = yield* ask(() => challenge.verify(answer, visitor))
      challenges(1, isValid ? "passed" : "failed")
      if (isValid) return
    }
    const issued = yield* ask(() => challenge.issue(visitor))
    if (issued === null) return
    challenges(1, "issued")
    return yield* refuse("forbidden", { challenge: issued }, "Answer the challenge in details first.")
  })

const ask = <A>(method: () => A | Promise<A>): Effect.Effect<A, Refusal> =>
  Effect.tryPromise(async () => method()).pipe(
    Effect.timeout("10 seconds"),
    Effect.tapErrorCause((cause) => Effect.logError("The challenge of web chat's visitors failed.", cause)),
    Effect.mapError(() => refuse("service_unavailable"))
  )

const newVisitor = ({ connection, credentials, limits, now, request }: Call): NewVisitor => ({
  connectionId: connection.id,
  address: request.address,
  load: limits.load(now),
  now,
  sign: (text) =>
    createHmac("sha256", credentials.visitor_secret)
      .update(`webchat challenge\n${connection.id}\n${text}`)
      .digest("base64url")
})
