import { Chunk, Duration, Effect } from "effect"
import type { Decider } from "../Decider.js"
import type { Refusal } from "../errors/Refusal.js"
import { hour } from "../Instant.js"
import { ProviderUnavailable } from "../ports/ChannelProvider.js"
import { type CommitError, lookup, type Storage } from "../ports/Storage.js"
import { type Synced, syncTemplates } from "../templates/syncTemplates.js"
import type { Fetch, Reach } from "./Fetch.js"
import { endStanding } from "./standingJobs.js"

const syncEvery = 6 * hour
/** How long the vendor may take to list them: an administrator may be waiting, behind a proxy that gives up after a minute. */
const longest = Duration.seconds(50)
/** How many templates one commit takes over. */
const batch = 200

/** Takes over the templates of a connection's account; none where its provider has none. */
export const takeTemplates = (
  storage: Pick<Storage, "read">,
  { decideAndCommit }: Decider,
  { connection, credentials, provider }: Reach
): Effect.Effect<Synced, ProviderUnavailable | Refusal | CommitError> =>
  Effect.gen(function* () {
    if (provider.listTemplates === undefined) return { created: 0, updated: 0 }
    const theirs = yield* Effect.timeoutFail(provider.listTemplates(connection, credentials), {
      duration: longest,
      onTimeout: () => new ProviderUnavailable({ reason: `no answer within ${Duration.format(longest)}` })
    })
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
