import { Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { ActingIds } from "../../kernel/actor.js"
import { auditRow } from "../../kernel/auditRow.js"
import type { Decision } from "../../kernel/Decider.js"
import { derivedId } from "../../kernel/derivedId.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Application } from "../../model/Application.js"
import { type Endpoint, subscriptionUrl } from "../../model/Endpoint.js"
import type { Instant } from "../../model/Instant.js"
import { newJob } from "../../model/Job.js"
import { changes, expect, row, set } from "../../ports/Changes.js"
import type { SecretBox } from "../../ports/SecretBox.js"
import { requireWebhookScope } from "./requireWebhookScope.js"
import type { SubscriptionInput } from "./SubscriptionInput.js"
import { signingSecret } from "./signingSecret.js"

/** The id of the endpoint of a subscription: the same in all processes, so that they subscribe once. */
export const subscriptionId = (applicationId: string, name: string): string =>
  derivedId(applicationId, subscriptionUrl(name))

/**
 * Creates the endpoint of a subscription, or changes its event types and order; creates it anew after it was deleted
 * (docs/reference/webhooks.md#subscriptions). `since`: events of this time (ms) and later ones are recovered for a new
 * subscription; null: none. Fails with `not_found` for an unknown application, with `forbidden` for one without the
 * scope for webhooks, and with `validation_failed`.
 */
export const subscribe = (
  world: { readonly application: Application | undefined; readonly endpoint: Endpoint | undefined },
  command: {
    readonly decoded: PartialDecode<SubscriptionInput>
    readonly since: Instant | null
    readonly ordered: Endpoint["ordered"]
    readonly seal: SecretBox["seal"]
  },
  now: Instant,
  ids: ActingIds
): Either.Either<Decision<Endpoint>, Refusal> =>
  Either.gen(function* () {
    const {
      id: applicationId,
      version,
      workspaceId
    } = yield* Either.flatMap(orNotFound(world.application), requireWebhookScope)
    const { name, ...input } = yield* complete(
      command.decoded,
      command.since !== null && command.since > now ? { from: ["must not be in the future"] } : {}
    )
    const events = [...new Set(input.events)]
    const { ordered } = command
    const present = world.endpoint
    if (present !== undefined && present.status !== "deleted") {
      if (isSame(present.events, events) && present.ordered === ordered) return { changes: null, result: present }
      const { id } = present
      return {
        changes: changes(workspaceId, {
          expects: [expect("endpoints", { id }, { version: present.version })],
          sets: [set("endpoints", { id }, { events, ordered })]
        }),
        result: { ...present, events, ordered, version: present.version + 1 }
      }
    }
    const endpoint: Endpoint = {
      id: subscriptionId(applicationId, name),
      workspaceId,
      applicationId,
      url: subscriptionUrl(name),
      events,
      description: null,
      secret: command.seal(signingSecret(ids)),
      status: "active",
      consecutiveFailures: 0,
      ordered,
      createdAt: now,
      version: 1
    }
    const { id } = endpoint
    const recovery = newJob({
      id: ids.next(now),
      workspaceId,
      lane: "housekeeping",
      subject: id,
      reference: id,
      payload: { task: "recover_endpoint", since: command.since },
      runAt: now,
      createdAt: now
    })
    const entry = { workspaceId, applicationId, action: "webhook_endpoint.created", subjectId: id }
    const made =
      present === undefined
        ? { claims: [row("endpoints", endpoint)] }
        : {
            expects: [expect("endpoints", { id }, { version: present.version })],
            sets: [
              set(
                "endpoints",
                { id },
                { events, status: "active" as const, consecutiveFailures: 0, ordered, createdAt: now }
              )
            ]
          }
    return {
      changes: changes(workspaceId, made, {
        expects: [expect("applications", { id: applicationId }, { version })],
        inserts: [auditRow(entry, now, ids), ...(command.since === null ? [] : [row("jobs", recovery)])]
      }),
      result: endpoint
    }
  })

const isSame = (present: ReadonlyArray<string>, wanted: ReadonlyArray<string>): boolean =>
  present.length === wanted.length && wanted.every((type) => present.includes(type))
