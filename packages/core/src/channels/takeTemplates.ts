import { Chunk, Duration, Effect, Schema } from "effect"
import type { Decider } from "../Decider.js"
import type { Refusal } from "../errors/Refusal.js"
import { hour } from "../Instant.js"
import { oneOf, requiredText, text } from "../input/Fields.js"
import type { ProviderTemplate, ProviderUnavailable } from "../ports/ChannelProvider.js"
import { type CommitError, lookup, type Storage } from "../ports/Storage.js"
import { type Synced, syncTemplates } from "../templates/syncTemplates.js"
import type { TemplateStatus } from "../templates/Template.js"
import { asked } from "./asked.js"
import type { Fetch, Reach } from "./Fetch.js"
import { endStanding } from "./standingJobs.js"

const syncEvery = 6 * hour
/** How long the vendor may take to list them: an administrator may be waiting, behind a proxy that gives up after a minute. */
const longest = Duration.seconds(50)
/** How many templates one commit takes over. */
const batch = 200

/** Whether a vendor's template can be stored: the bounds of those that are made by hand, but for languages, which are theirs to name. */
const isStorable: (template: ProviderTemplate) => boolean = Schema.is(
  Schema.Struct({
    name: requiredText(512),
    language: requiredText(512),
    category: Schema.NullOr(text(40)),
    body: requiredText(4_096),
    status: oneOf<TemplateStatus>(["draft", "pending", "approved", "rejected", "paused"])
  })
)

/**
 * Takes over the templates of a connection's account; none where its provider has none. One that cannot be stored is left
 * out, so that it stops no other.
 */
export const takeTemplates = (
  storage: Pick<Storage, "read">,
  { decideAndCommit }: Decider,
  { connection, credentials, provider }: Reach
): Effect.Effect<Synced, ProviderUnavailable | Refusal | CommitError> =>
  Effect.gen(function* () {
    const { listTemplates } = provider
    if (listTemplates === undefined) return { created: 0, updated: 0 }
    const told = yield* asked("listTemplates", longest, () => listTemplates.call(provider, connection, credentials))
    const theirs = told.filter(isStorable)
    if (theirs.length < told.length) {
      yield* Effect.logWarning(
        `${told.length - theirs.length} of ${told.length} templates of connection ${connection.id} cannot be stored, and are left out`
      )
    }
    const { channel, workspaceId } = connection
    const present = Effect.map(
      storage.read({ templates: lookup("templates", { workspaceId, channel }) }),
      ({ templates }) => templates
    )
    return yield* Effect.reduce(
      Chunk.chunksOf(Chunk.fromIterable(theirs), batch),
      { created: 0, updated: 0 },
      (sum, some) =>
        Effect.map(
          decideAndCommit(present, (present, now, ids) =>
            syncTemplates(present, connection, Chunk.toReadonlyArray(some), now, ids)
          ),
          ({ created, updated }) => ({ created: sum.created + created, updated: sum.updated + updated })
        )
    )
  })

/** Takes templates over every 6 h, for as long as the connection is active. */
export const templateSync =
  (storage: Pick<Storage, "read">, decider: Decider): Fetch =>
  (job, reach) =>
    reach.provider.listTemplates === undefined || reach.connection.status !== "active"
      ? Effect.succeed({ again: null, parts: endStanding(reach.connection) })
      : Effect.as(takeTemplates(storage, decider, reach), {
          again: { inMs: syncEvery, payload: job.payload }
        })
