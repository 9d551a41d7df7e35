import { Clock, Duration, Effect, Schema } from "effect"
import { asked } from "../channels/asked.js"
import type { Connection } from "../channels/Connection.js"
import type { Fetch } from "../channels/Fetch.js"
import { fetchJob } from "../channels/fetchJob.js"
import type { Decider } from "../Decider.js"
import { subscriberLookups } from "../events/Outbox.js"
import { day, type Instant } from "../Instant.js"
import { storableText } from "../input/storableText.js"
import { type RowOf, row } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import { lookupById, type Storage } from "../ports/Storage.js"
import { changeContact } from "./changeContact.js"
import { nameContact } from "./nameContact.js"

/** How long a vendor is asked for a name before we do without. */
const patience = day

/** How long it may take to answer once. */
const longest = Duration.seconds(30)

/** The most characters of what a customer calls themselves that are kept, as of a first name. */
export const mostNameCharacters = 100

/** The handle that a customer is asked for by, normalised. */
const decodePayload = Schema.decodeUnknownSync(Schema.Struct({ handle: Schema.String }))

/** The job that asks what the customer of a new contact calls themselves. `handle` is normalised. */
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
 * The task `fetch_profile`: asks the provider what a customer calls themselves, and names the identity and a contact that still
 * has no name by it.
 */
export const fetchProfile =
  (storage: Pick<Storage, "read">, { decideAndCommit }: Decider): Fetch =>
  (job, { connection, credentials, provider }) =>
    Effect.gen(function* () {
      const { channel, workspaceId } = connection
      const { profileName } = provider
      if (profileName === undefined || channel === "webchat") return null
      const { handle } = decodePayload(job.payload)
      const given = yield* asked("profileName", longest, () =>
        profileName.call(provider, connection, credentials, handle)
      ).pipe(
        Effect.catchTag("ProviderUnavailable", (error) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) =>
            now < job.createdAt + patience ? Effect.fail(error) : Effect.succeed(null)
          )
        )
      )
      const name = storableText(given ?? "", mostNameCharacters).trim()
      if (name === "") return null
      const load = Effect.map(
        storage.read({ ...subscriberLookups(workspaceId), contacts: lookupById("contacts", job.reference) }),
        ({ applications, contacts, endpoints }) => ({ contact: contacts[0], subscribers: { applications, endpoints } })
      )
      yield* decideAndCommit(load, (world, now, ids) =>
        changeContact(world, (contact) => nameContact(contact, { channel, handle }, name), now, ids)
      ).pipe(
        // The contact was merged or erased meanwhile: there is nobody to name.
        Effect.catchIf(
          (error) => error._tag === "Refusal" && error.code === "not_found",
          () => Effect.void
        )
      )
      return null
    })
