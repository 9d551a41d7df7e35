import { type ChannelProvider, type Connection, type Refusal, refuse } from "@parley/core"
import { Clock, Effect, Schema } from "effect"
import { acknowledge } from "./acknowledge.js"
import { empty, refusalAnswer, withHeaders } from "./answers.js"
import { bearerOf } from "./bearerOf.js"
import { type Answered, type Call, type VisitorCall, visitorKey } from "./Call.js"
import { crossOrigin, preflight } from "./crossOrigin.js"
import type { FeedStreams } from "./FeedStreams.js"
import { openSession } from "./openSession.js"
import { openStream } from "./openStream.js"
import { makeRefuseExcess } from "./refuseExcess.js"
import { readSession, type Session } from "./Session.js"
import { showHistory } from "./showHistory.js"
import { takeFile } from "./takeFile.js"
import { takeForm } from "./takeForm.js"
import { takeMessage } from "./takeMessage.js"
import type { VisitorChallenge } from "./VisitorChallenge.js"
import type { VisitorLimits } from "./VisitorLimits.js"
import { WebchatConfig } from "./WebchatConfig.js"
import { WebchatCredentials } from "./WebchatCredentials.js"
import { widgetScript } from "./widgetScript.js"

const decodeConfig = Schema.decodeUnknown(WebchatConfig)
const decodeCredentials = Schema.decodeUnknown(Schema.typeSchema(WebchatCredentials))

/** Serves the widget and its requests. The settings were checked when they were stored: invalid ones are a defect. */
export const serve = (
  limits: VisitorLimits,
  streams: FeedStreams,
  challenge: VisitorChallenge | null
): NonNullable<ChannelProvider["serve"]> => {
  const refuseExcess = makeRefuseExcess()
  return (connection, opened, request, context) =>
    Effect.gen(function* () {
      const config = yield* Effect.orDie(decodeConfig(connection.config))
      const { path, method, headers } = request
      if (path === "/widget.js" && method === "GET") return widgetScript(connection, config, headers)
      const origin = crossOrigin(config.allowedOrigins, headers)
      if (origin === null) return refusalAnswer(foreign)
      if (method === "OPTIONS") return empty(204, { ...origin, ...preflight })
      const credentials = yield* Effect.orElse(decodeCredentials(opened), () => unusable(connection))
      const now = yield* Clock.currentTimeMillis
      const call: Call = {
        connection,
        config,
        credentials,
        request,
        context,
        limits,
        refuseExcess,
        challenge,
        streams,
        now
      }
      const answer = yield* Effect.catchTag(answerTo(call), "Refusal", (refusal) =>
        Effect.succeed(
          refusal.code === "rate_limited" ? withHeaders(refusalAnswer(refusal), retryLater) : refusalAnswer(refusal)
        )
      )
      return withHeaders(answer, origin)
    })
}

/** The error has no details, which would contain the credentials. */
const unusable = ({ id }: Connection) => Effect.dieMessage(`The credentials of connection ${id} are not in order.`)

/** Of a client address with too many failed attempts. */
const retryLater = { "retry-after": "60" }

const foreign = refuse("forbidden", {}, "The page's origin is not among the connection's allowed_origins.")

const answerTo = (call: Call): Answered => {
  const { path, method } = call.request
  const methods = routes.get(path)
  if (methods === undefined) return refuse("not_found")
  const handler = methods.get(method)
  const allow = [...methods.keys(), "OPTIONS"].join(", ")
  return handler?.(call) ?? Effect.succeed(withHeaders(refusalAnswer(refuse("method_not_allowed")), { allow }))
}

/** For visitors only: 401 without a valid session. The page then opens one. */
const ofVisitor =
  (handler: (call: VisitorCall) => Answered) =>
  (call: Call): Answered => {
    const { credentials, connection, limits, request, now } = call
    const token = bearerOf(request)
    const session: Effect.Effect<Session, Refusal> = Effect.suspend(() => {
      const visitor = readSession(credentials.visitor_secret, connection.id, token, now)
      return visitor === null ? refuse("unauthenticated", {}, "Open a session first.") : Effect.succeed(visitor)
    })
    const checked = token === "" ? session : (request.checkCredential?.(token, session) ?? session)
    return Effect.flatMap(checked, (visitor) => {
      const excess = limits.request(visitorKey({ ...call, visitor }), now)
      return excess === null ? handler({ ...call, visitor }) : call.refuseExcess(excess, request.address, now)
    })
  }

/** The path of uploads. */
export const filesPath = "/files"

const routes = new Map([
  ["/session", new Map([["POST", openSession]])],
  [
    "/messages",
    new Map([
      ["GET", ofVisitor(showHistory)],
      ["POST", ofVisitor(takeMessage)]
    ])
  ],
  ["/form", new Map([["POST", ofVisitor(takeForm)]])],
  [filesPath, new Map([["POST", ofVisitor(takeFile)]])],
  ["/stream", new Map([["GET", ofVisitor(openStream)]])],
  ["/acks", new Map([["POST", ofVisitor(acknowledge)]])]
])
