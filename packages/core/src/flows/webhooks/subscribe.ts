import { Either } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import type { ActingIds } from "../../kernel/actor.js"
import { auditRow } from "../../kernel/auditRow.js"
import type { Decision } from "../../kernel/Decider.js"
import { derivedId } from "../../kernel/derivedId.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import type { Application } from "../../model/Application.js"
import { applicationOf, type Endpoint, subscriptionUrl } from "../../model/Endpoint.js"
import type { Instant } from "../../model/Instant.js"
import type { Workspace } from "../../model/Workspace.js"
import { changes, expect, row, set } from "../../ports/Changes.js"
import type { SecretBox } from "../../ports/SecretBox.js"
import { presenceJob } from "./presenceJob.js"
import { addsTypes, catchUpJob, recoveryJob } from "./recoveryJob.js"
import { requireWebhookScope } from "./requireWebhookScope.js"
import type { SubscriptionInput } from "./SubscriptionInput.js"
import { signingSecret } from "./signingSecret.js"

/**
 * The id of the endpoint of a subscription: the same in all processes, so that they subscribe once. `ownerId`: of its
 * application, or of its workspace.
 */
export const subscriptionId = (ownerId: string, name: string): string => derivedId(ownerId, subscriptionUrl(name))

/** What the rule reads. Either the application or the workspace; undefined: the other one, or an unknown one. */
export interface SubscribeWorld {
  readonly application: Application | undefined
  readonly workspace: Workspace | undefined
  readonly endpoint: Endpoint | undefined
}

/**
 * Creates the endpoint of a subscription, or changes its event types and order; creates it anew after it was deleted
 * (docs/reference/webhooks.md#subscriptions). Ensures its recurring job (`presenceJob`). `since`: events of this time
 * (ms) and later ones are recovered for a new subscription; null: none. Fails with `not_found` for an unknown
 * application or workspace, with `forbidden` for an application without the scope for webhooks, and with
 * `validation_failed`.
 */
export const subscribe = (
  world: SubscribeWorld,
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
    const owner = yield* ownerOf(world)
    const applicationId = owner.row.id
    const workspaceId = owner.table === "workspaces" ? owner.row.id : owner.row.workspaceId
    const { name, ...input } = yield* complete(
      command.decoded,
      command.since !== null && command.since > now ? { from: ["must not be in the future"] } : {}
    )
    const events = [...new Set(input.events)]
    const { ordered } = command
    const present = world.endpoint
    if (present !== undefined && present.status !== "deleted") {
      const presence = { ensures: [row("jobs", presenceJob(present, now))] }
      if (isSame(present.events, events) && present.ordered === ordered)
        return { changes: changes(workspaceId, presence), result: present }
      const { id } = present
      return {
        changes: changes(workspaceId, presence, {
          expects: [expect("endpoints", { id }, { version: present.version })],
          sets: [set("endpoints", { id }, { events, ordered })],
          inserts: addsTypes(present.events, events) ? [row("jobs", catchUpJob(present, now, ids))] : []
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
    const recovery =
      command.since === null ? catchUpJob(endpoint, now, ids) : recoveryJob(endpoint, command.since, now, ids)
    const entry = {
      workspaceId,
      applicationId: applicationOf(endpoint),
      action: "webhook_endpoint.created",
      subjectId: id
    }
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
        expects: [expect(owner.table, { id: owner.row.id }, { version: owner.row.version })],
        inserts: [auditRow(entry, now, ids), row("jobs", recovery)],
        ensures: [row("jobs", presenceJob(endpoint, now))]
      }),
      result: endpoint
    }
  })

/** Whose events the subscription gets: of an application, or of all in the workspace. */
const ownerOf = ({ application, workspace }: SubscribeWorld) => {
  if (workspace !== undefined) return Either.right({ table: "workspaces" as const, row: workspace })
  if (application === undefined) return Either.left(refuse("not_found", {}, "No application or workspace has this id."))
  return Either.map(requireWebhookScope(application), (row) => ({ table: "applications" as const, row }))
}

const isSame = (present: ReadonlyArray<string>, wanted: ReadonlyArray<string>): boolean =>
  present.length === wanted.length && wanted.every((type) => present.includes(type))
