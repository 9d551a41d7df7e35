import { Chunk, Clock, Effect, Schema } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { Decider } from "../../kernel/Decider.js"
import { oneOf, requiredText, text } from "../../kernel/input/Fields.js"
import { hour } from "../../model/Instant.js"
import type { TemplateStatus } from "../../model/Template.js"
import type { ProviderTemplate, ProviderUnavailable } from "../../ports/ChannelProvider.js"
import { type CommitError, lookup, type Storage } from "../../ports/Storage.js"
import { callProviderSafely } from "../../resources/channels/callProviderSafely.js"
import type { Fetch, FetchContext } from "../../resources/channels/Fetch.js"
import { endRecurringJob } from "../../resources/channels/recurringJobs.js"
import { canSyncTemplates } from "../../resources/channels/templateRefreshJob.js"
import { missingTemplates, syncTemplates, type TemplateSyncResult } from "../../resources/templates/syncTemplates.js"
import { templateAccount } from "../../resources/templates/templateAccount.js"

const syncEvery = 6 * hour
/** Number of templates per commit. */
const batch = 200

/**
 * Whether a vendor's template can be stored: the bounds of `POST /templates`, except that the vendor may name any
 * language.
 */
const isStorable: (template: ProviderTemplate) => boolean = Schema.is(
  Schema.Struct({
    name: requiredText(512),
    language: requiredText(512),
    category: Schema.NullOr(text(40)),
    body: requiredText(4_096),
    status: Schema.NullOr(oneOf<TemplateStatus>(["draft", "pending", "approved", "rejected", "paused"]))
  })
)

/**
 * Imports the templates of a connection's account; none if its provider has no templates. A template that cannot be
 * stored is skipped, so that it does not block the others. Known templates of the account that the vendor does not list
 * become `rejected` (docs/reference/templates.md#templates-of-the-vendor).
 */
export const fetchTemplates = (
  storage: Pick<Storage, "read">,
  { decideAndCommit }: Decider,
  { connection, credentials, provider }: FetchContext
): Effect.Effect<TemplateSyncResult, ProviderUnavailable | Refusal | CommitError> =>
  Effect.gen(function* () {
    const { listTemplates } = provider
    if (listTemplates === undefined) return { created: 0, updated: 0 }
    const list = {
      connection,
      account: templateAccount(provider, connection),
      askedAt: yield* Clock.currentTimeMillis
    }
    const listed = yield* callProviderSafely("listTemplates", () =>
      listTemplates.call(provider, connection, credentials)
    )
    const vendorTemplates = listed.filter(isStorable)
    if (vendorTemplates.length < listed.length) {
      yield* Effect.logWarning(
        `${listed.length - vendorTemplates.length} of ${listed.length} templates of connection ${connection.id} cannot be stored, and are left out`
      )
    }
    const { channel, workspaceId } = connection
    const present = Effect.map(
      storage.read({ templates: lookup("templates", { workspaceId, channel }) }),
      ({ templates }) => templates
    )
    const missing = missingTemplates(yield* present, list.account, vendorTemplates)
    return yield* Effect.reduce(
      Chunk.chunksOf(Chunk.fromIterable([...vendorTemplates, ...missing]), batch),
      { created: 0, updated: 0 },
      (sum, some) =>
        Effect.map(
          decideAndCommit(present, (present, now, ids) =>
            syncTemplates(present, list, Chunk.toReadonlyArray(some), now, ids)
          ),
          ({ created, updated }) => ({ created: sum.created + created, updated: sum.updated + updated })
        )
    )
  })

/** Imports templates every 6 h while the connection is active. */
export const templateSync =
  (storage: Pick<Storage, "read">, decider: Decider): Fetch =>
  (job, reach) =>
    !canSyncTemplates(reach.provider, reach.connection)
      ? Effect.succeed({ again: null, parts: [endRecurringJob(reach.connection)] })
      : Effect.as(fetchTemplates(storage, decider, reach), {
          // Without the trace of the request that activated the connection, which would never end.
          again: { inMs: syncEvery, payload: { task: job.payload?.task } }
        })

/** The task `refresh_templates`: imports templates once, after news of one. */
export const templateRefresh =
  (storage: Pick<Storage, "read">, decider: Decider): Fetch =>
  (_job, reach) =>
    canSyncTemplates(reach.provider, reach.connection)
      ? Effect.as(fetchTemplates(storage, decider, reach), null)
      : Effect.succeed(null)
