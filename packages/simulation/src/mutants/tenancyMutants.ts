import type { Mutant } from "./Mutant.js"

/** Faults of idempotency, rate limits and isolation. */
export const tenancyMutants: ReadonlyArray<Mutant> = [
  {
    name: "idempotency-other-request-replayed",
    fault: "A key that was used for another request replays its response.",
    promise: "idempotency-key-of-another-request",
    file: "core/src/resources/access/idempotency.ts",
    find: "if (record.fingerprint !== idempotency.fingerprint) {",
    replacement: 'if (record.fingerprint === "") {'
  },
  {
    name: "idempotency-not-looked-up",
    fault: "A request whose key was used is executed again.",
    promise: "one-effect-per-key",
    file: "core/src/resources/access/idempotency.ts",
    find: "if (record === undefined || record.expiresAt <= now) return",
    replacement: "if (record === undefined || record.expiresAt > now) return"
  },
  {
    name: "idempotency-not-stored",
    fault: "The key of a send is not stored.",
    promise: "one-effect-per-key",
    file: "core/src/resources/messages/sendMessage.ts",
    find: "          storeIdempotency(world.record, world.caller, command.idempotency, answer, now, { deadline }),\n",
    replacement: ""
  },
  {
    name: "idempotency-expires-early",
    fault: "A key is valid for a second.",
    promise: "one-effect-per-key",
    file: "core/src/resources/access/idempotency.ts",
    find: "export const keyRetention = day",
    replacement: "export const keyRetention = day / 86_400"
  },
  {
    name: "idempotency-key-of-workspace",
    fault: "Applications of all workspaces share the keys.",
    promise: "one-effect-per-key",
    file: "core/src/resources/access/idempotency.ts",
    find: "applicationId: owner.application.id,",
    replacement: 'applicationId: "01900000-0000-7000-8200-000000000011",'
  },
  {
    name: "idempotency-fingerprint-without-body",
    fault: "The fingerprint of a request does not cover its body.",
    promise: "idempotency-key-of-another-request",
    file: "core/src/resources/access/fingerprint.ts",
    find: "canonical(body)",
    replacement: "canonical(null)"
  },
  {
    name: "rate-one-request-more",
    fault: "An application may make one request more than its limit.",
    promise: "rate-bucket-is-exact",
    file: "core/src/resources/access/RateBuckets.ts",
    find: "limit: application.requestsPerMinute,",
    replacement: "limit: application.requestsPerMinute + 1,"
  },
  {
    name: "rate-one-send-less",
    fault: "An application may make one send less than its limit.",
    promise: "rate-bucket-is-exact",
    file: "core/src/resources/access/RateBuckets.ts",
    find: "limit: application.sendsPerMinute,",
    replacement: "limit: application.sendsPerMinute - 1,"
  },
  {
    name: "rate-replay-not-refunded",
    fault: "A replayed send takes a token.",
    promise: "rate-bucket-is-exact",
    file: "core/src/resources/messages/Messages.ts",
    find: "? Effect.as(refund, { accepted, answer, waiting: null })",
    replacement: "? Effect.succeed({ accepted, answer, waiting: null })"
  },
  {
    name: "rate-window-too-short",
    fault: "The window of a bucket lasts 45 s.",
    promise: "rate-bucket-is-exact",
    file: "core/src/resources/access/RateBuckets.ts",
    find: "const windowMs = 60_000",
    replacement: "const windowMs = 45_000"
  },
  {
    name: "isolation-message-of-application",
    fault: "An application reads messages of another application on its connections.",
    promise: "application-isolation",
    file: "core/src/resources/conversations/visibility.ts",
    find: "(message.applicationId === application.id || message.applicationId === null) &&",
    replacement: ""
  },
  {
    name: "isolation-message-of-connection",
    fault: "An application reads messages on connections that it may not use.",
    promise: "application-isolation",
    file: "core/src/resources/conversations/visibility.ts",
    find: "  isAllowListed(application, message.connectionId) &&\n",
    replacement: ""
  },
  {
    name: "isolation-message",
    fault: "Every application reads every message.",
    promise: "workspace-isolation",
    file: "core/src/resources/messages/Messages.ts",
    find: "message === undefined || !isVisible(caller, message)",
    replacement: "message === undefined"
  },
  {
    name: "isolation-contact",
    fault: "An application reads contacts of other workspaces.",
    promise: "workspace-isolation",
    file: "core/src/resources/contacts/Contacts.ts",
    find: "return contact?.workspaceId === caller.workspace.id ? contact",
    replacement: "return contact !== undefined ? contact"
  },
  {
    name: "isolation-connection-of-send",
    fault: "A send chooses among all connections of the workspace, also those of test applications.",
    promise: "application-isolation",
    file: "core/src/resources/messages/chooseConnection.ts",
    find: "connections.filter((connection) => mayUseConnection(application, connection))",
    replacement: "connections.filter((connection) => mayUseConnection(application, connection) || id === null)"
  },
  {
    name: "access-with-revoked-key",
    fault: "A revoked API key is accepted.",
    promise: "revoked-key-is-refused",
    file: "core/src/resources/access/callerOf.ts",
    find: "apiKey === undefined || apiKey.revokedAt !== null",
    replacement: "apiKey === undefined"
  },
  {
    name: "access-of-suspended-application",
    fault: "A suspended application is served.",
    promise: "suspended-application-is-refused",
    file: "core/src/resources/access/callerOf.ts",
    find: `if (application.status === "suspended") return Either.left(refuse("account_suspended"))`,
    replacement: ""
  }
]
