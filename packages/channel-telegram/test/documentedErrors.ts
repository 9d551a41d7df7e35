import type { BotErrorAnswer, DocumentedError, ExpectedOutcome, FakeTelegram } from "@parley/testkit"

const refused = (outcome: ExpectedOutcome, error: BotErrorAnswer): DocumentedError<FakeTelegram> => ({
  name: `${error.code} ${error.description}`,
  arrange: (vendor) => vendor.refuseNext(error),
  outcome: outcome._tag === "Rejected" ? { ...outcome, providerCode: String(error.code) } : outcome
})

const rejected = (
  scope: "connection" | "message" | "recipient",
  code: number,
  ...descriptions: ReadonlyArray<string>
): ReadonlyArray<DocumentedError<FakeTelegram>> =>
  descriptions.map((description) => refused({ _tag: "Rejected", scope, code: "provider_error" }, { code, description }))

/** Every known error of the Bot API with its description (docs/reference/telegram.md#error-codes). */
export const documentedErrors: ReadonlyArray<DocumentedError<FakeTelegram>> = [
  ...rejected("connection", 401, "Unauthorized"),
  ...rejected("connection", 404, "Not Found"),
  refused(
    { _tag: "Rejected", scope: "recipient", code: "provider_error", optOut: "all" },
    { code: 403, description: "Forbidden: bot was blocked by the user" }
  ),
  ...rejected(
    "recipient",
    403,
    "Forbidden: user is deactivated",
    "Forbidden: bot can't initiate conversation with a user",
    "Forbidden: bot can't send messages to bots",
    "Forbidden: bot was kicked from the supergroup chat",
    "Forbidden: bot is not a member of the supergroup chat"
  ),
  ...rejected(
    "recipient",
    400,
    "Bad Request: chat not found",
    "Bad Request: user not found",
    "Bad Request: PEER_ID_INVALID",
    "Bad Request: group chat was deactivated",
    "Bad Request: not enough rights to send text messages to the chat",
    "Bad Request: have no rights to send a message",
    "Bad Request: CHAT_WRITE_FORBIDDEN"
  ),
  ...rejected(
    "message",
    400,
    "Bad Request: message is too long",
    "Bad Request: message text is empty",
    "Bad Request: message caption is too long",
    "Bad Request: REACTION_INVALID",
    "Bad Request: strings must be encoded in UTF-8",
    "Bad Request: something that is in no list"
  ),
  ...rejected("message", 413, "Request Entity Too Large"),
  refused(
    { _tag: "Moved", handle: "-1001234567890" },
    {
      code: 400,
      description: "Bad Request: group chat was upgraded to a supergroup chat",
      parameters: { migrate_to_chat_id: -1_001_234_567_890 }
    }
  ),
  refused(
    { _tag: "Throttled", retryAfterMs: 34_000 },
    { code: 429, description: "Too Many Requests: retry after 34", parameters: { retry_after: 34 } }
  ),
  refused({ _tag: "Unknown" }, { code: 500, description: "Internal Server Error" }),
  refused({ _tag: "Unknown" }, { code: 502, description: "Bad Gateway" })
]
