import { type Contact, changes, type RowOf, row, Storage, type TableName } from "@parley/core"
import { aContact, aConversation, aMessage, aTag } from "@parley/testkit/rows"
import { Effect } from "effect"
import { query, type Store, storageOf } from "./Store.js"
import { applicationId, connectionId, workspaceId } from "./seed.js"

/** Number of rows in the measured lists. */
export interface Many {
  readonly contacts: number
  /** Number of conversations, and of messages of one conversation. */
  readonly rows: number
}

const firstNames =
  "Anna,Maria,Elena,Sofia,Laura,Julia,Lena,Emma,Mia,Hannah,Ben,Paul,Leon,Finn,Jonas,Luis,Noah,Elias,Felix,Lukas,Ahmed,Ali,Omar,Yusuf,Fatima,Aisha,Layla,Zeynep,Mehmet,Emre,Ivan,Olga,Dmitri,Natalia,Piotr,Agnieszka,Jan,Tomasz,Jose,Carlos,Miguel,Lucia,Carmen,Pedro,Ana,Rafael,Beatriz,Wei,Yuki,Haruto,Sakura,Priya,Rahul,Arjun,Oliver,George,Harry,Amelia,Isla,Grace,Liam,James,Chloe,Hugo".split(
    ","
  )
const stems =
  "Mull,Schmid,Schneid,Fisch,Web,Mey,Wagn,Beck,Schulz,Hoffm,Koch,Bau,Richt,Klein,Wolf,Schroed,Neum,Schwarz,Zimmerm,Brau,Krueg,Hofm,Hartm,Lang,Wern,Kraus,Lehm,Koehl,Herrm,Koen,Walt,Peters,Kais,Fuchs,Scholz,Moell,Weiss,Jung,Hahn,Schub".split(
    ","
  )
const endings = ["er", "t", "ers", "ann", "mann", "el", "sen", "son", "ski", "ova"]
const lastNames = stems.flatMap((stem) => endings.map((ending) => `${stem}${ending}`))

/** The n-th item in a fixed pseudo-random order. */
const pick = <A>(from: ReadonlyArray<A>, n: number, salt: number): A =>
  from[((n * 2_654_435_761 + salt * 40_503) >>> 7) % from.length] as A

export const tags: ReadonlyArray<string> = Array.from({ length: 50 }, (_, n) => `Tag ${n}`)
const stages = ["lead", "lead", "lead", "prospect", "customer", "customer", "churned"] as const

const id = (kind: number, n: number) => `01910000-0000-7000-81${kind}0-${n.toString(16).padStart(12, "0")}`
const time = 1_780_000_000_000

const nameOf = (n: number) => ({ firstName: pick(firstNames, n, 1), lastName: pick(lastNames, n, 2) })
const phoneOf = (n: number) => `+4916${String((n * 7_919) % 1_000_000_000).padStart(9, "0")}`

/** Search texts: a name, a first name, a last name, a number, the end of a number. */
export const searches = (count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, n) => {
    const { firstName, lastName } = nameOf(n)
    return [`${firstName} ${lastName}`, firstName, lastName, phoneOf(n), phoneOf(n).slice(-6)][n % 5] as string
  })

const contact = (n: number): Contact => {
  const { firstName, lastName } = nameOf(n)
  const phone = phoneOf(n)
  const email = n % 3 === 0 ? `${firstName}.${lastName}${n}@example.org`.toLowerCase() : null
  const name = `${firstName} ${lastName}`.toLowerCase()
  const handle = { handle: phone, displayName: null }
  return aContact({
    id: id(1, n),
    workspaceId,
    firstName,
    lastName,
    phone,
    email,
    lifecycleStage: pick(stages, n, 3),
    tags: [...new Set([4, 5, 6].slice(n % 3).map((salt) => pick(tags, n, salt)))],
    identities: [
      { ...handle, channel: n % 2 === 0 ? "whatsapp" : "phone" },
      ...(email === null ? [] : [{ channel: "email" as const, handle: email, displayName: null }])
    ],
    nameKey: name,
    searchKey: [name, phone, ...(email === null ? [] : [email])].join("\n"),
    createdAt: time + n
  })
}

/** The connections whose conversations are listed. */
export const connectionIds: ReadonlyArray<string> = [id(2, 1), id(2, 2), id(2, 3)]

/** The n-th conversation from the end of the list. */
export const conversation = (n: number) =>
  aConversation({
    id: id(3, n),
    workspaceId,
    connectionId: pick(connectionIds, n, 7),
    handle: phoneOf(n),
    contactId: id(1, n),
    status: pick(["open", "pending", "resolved", "closed"] as const, n, 8),
    lastActivityAt: time + n
  })

/** The conversation whose messages are listed. */
export const longConversationId = conversation(0).id

/** The n-th message from the end of the list; of two applications, and of none for inbound messages. */
export const message = (n: number) =>
  aMessage({
    id: id(4, n),
    workspaceId,
    connectionId,
    conversationId: longConversationId,
    contactId: conversation(0).contactId,
    applicationId: pick([applicationId, id(5, 1), null], n, 9),
    body: `Message ${n}`,
    createdAt: time + n
  })

const portion = 1_000

/** Writes the rows through the storage, and runs the maintenance that the database would run later. */
export const writeMany = (store: Store, many: Many): Promise<void> =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const write = (count: number, rowOf: (n: number) => RowOf<TableName>) =>
      Effect.forEach(
        Array.from({ length: Math.ceil(count / portion) }, (_, n) => n * portion),
        (from) => {
          const numbers = Array.from({ length: Math.min(portion, count - from) }, (_, n) => from + n)
          return storage.commit(changes(workspaceId, { inserts: numbers.map(rowOf) }))
        },
        { concurrency: 2, discard: true }
      )
    yield* storage.commit(
      changes(workspaceId, {
        ensures: tags.map((name) => row("tags", aTag({ workspaceId, folded: name.toLowerCase(), name })))
      })
    )
    yield* write(many.contacts, (n) => row("contacts", contact(n)))
    yield* write(many.rows, (n) => row("conversations", conversation(n)))
    yield* write(many.rows, (n) => row("messages", message(n)))
    if (store.kind === "postgres") yield* Effect.promise(() => query(store.url, "VACUUM ANALYZE"))
  }).pipe(Effect.provide(storageOf(store)), Effect.runPromise)
