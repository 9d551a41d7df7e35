import { Clock, Effect, Schema } from "effect"
import type { Decider } from "../../kernel/Decider.js"
import { storableText } from "../../kernel/text/storableText.js"
import { type Channels, channelOf } from "../../model/Channel.js"
import type { Connection } from "../../model/Connection.js"
import { day, type Instant } from "../../model/Instant.js"
import { type RowOf, row } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { lookupById, type Storage } from "../../ports/Storage.js"
import { callProviderSafely } from "../channels/callProviderSafely.js"
import { type Fetch, failingSinceOf } from "../channels/Fetch.js"
import { fetchJob } from "../channels/fetchJob.js"
import { subscriberLookups } from "../events/Outbox.js"
import { changeContact } from "./changeContact.js"
import { nameContact } from "./nameContact.js"

/** Time in ms after which retries for a name stop. */
const retryWindow = day

/** Maximum length of a fetched name in UTF-16 units, like that of a first name. */
export const maxNameLength = 100

/** Payload: the normalised handle of the customer. */
const decodePayload = Schema.decodeUnknownSync(Schema.Struct({ handle: Schema.String }))

/** The job that fetches the profile name of a new contact's customer. `handle` is normalised. */
export const profileJob = (
  connection: Connection,
  contactId: string,
  handle: string,
  now: Instant,
  ids: Ids
): RowOf<"jobs"> => {
  const job = { id: ids.next(now), task: "fetch_profile", reference: contactId, payload: { handle }, runAt: now }
  return row("jobs", fetchJob(connection, job, now))
}

/**
 * The task `fetch_profile`: fetches the customer's profile name from the provider, and sets the display name of the
 * identity and the name of a contact that has none.
 */
export const fetchProfile =
  (storage: Pick<Storage, "read">, channels: Channels, { decideAndCommit }: Decider): Fetch =>
  (job, { connection, credentials, provider }) =>
    Effect.gen(function* () {
      const { workspaceId } = connection
      const { profileName } = provider
      const { identity: channel } = channelOf(channels, connection.channel)
      if (profileName === undefined || channel === null) return null
      const { handle } = decodePayload(job.payload)
      const given = yield* callProviderSafely("profileName", () =>
        profileName.call(provider, connection, credentials, handle)
      ).pipe(
        Effect.catchTag("ProviderUnavailable", (error) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) =>
            now - (failingSinceOf(job) ?? now) < retryWindow ? Effect.fail(error) : Effect.succeed(null)
          )
        )
      )
      const name = storableText(given ?? "", maxNameLength).trim()
      if (name === "") return null
      const load = Effect.map(
        storage.read({ ...subscriberLookups(workspaceId), contacts: lookupById("contacts", job.reference) }),
        ({ applications, contacts, endpoints }) => ({ contact: contacts[0], subscribers: { applications, endpoints } })
      )
      yield* decideAndCommit(load, (world, now, ids) =>
        changeContact(world, (contact) => nameContact(contact, { channel, handle }, name), now, ids)
      ).pipe(
        // The contact was merged or erased in the meantime.
        Effect.catchIf(
          (error) => error._tag === "Refusal" && error.code === "not_found",
          () => Effect.void
        )
      )
      return null
    })
