import { Clock, Context, Effect } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { Decider } from "../../kernel/Decider.js"
import { commitAtOnce } from "../../kernel/deferral.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { workspaceProblems } from "../../kernel/input/workspaceProblems.js"
import { nextTurn } from "../../kernel/nextTurn.js"
import { Ids } from "../../ports/Ids.js"
import { type CommitError, type ReadError, readById, Storage } from "../../ports/Storage.js"
import { subscriberLookups } from "../events/Outbox.js"
import { loadContactReferences } from "./contactReferences.js"
import { decodeImportedContact, type ImportInput } from "./ImportInput.js"
import type { ImportReport, ImportResult } from "./ImportReport.js"
import { type ImportContactWorld, type Imported, importContact, knownContactId, type OnKnown } from "./importContact.js"
import { groupsOfSharedHandles, type ImportedRow, importedRow } from "./sharedHandles.js"

/** Imports batches of contacts. */
export interface ContactImports {
  /**
   * `POST /contacts/import`. Each contact is a commit of its own, so a refused contact does not affect the others.
   * Repeating an import is safe: its contacts are known then. A dry run reports the results and writes nothing.
   */
  readonly run: (decoded: PartialDecode<ImportInput>) => Effect.Effect<ImportReport, Refusal | CommitError>
}
export const ContactImports = Context.GenericTag<ContactImports>("@parley/core/ContactImports")

/** Number of concurrent imports, enough to share coalesced commits. */
const concurrency = 100

/** Bound of the reads of a contact that is merged or erased again and again. */
const maxRereads = 7

/** Number of contacts that are decoded in one turn of the event loop: a few milliseconds. */
const decodedPerTurn = 25

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const ids = yield* Ids
  const { decideAndCommit } = yield* Decider

  const readOnce = (workspaceId: string, { decoded }: ImportedRow): Effect.Effect<ImportContactWorld, ReadError> =>
    Effect.gen(function* () {
      const [subscribers, references] = yield* Effect.all(
        [storage.read(subscriberLookups(workspaceId)), loadContactReferences(storage, workspaceId, decoded.value)],
        { concurrency: "unbounded" }
      )
      const known = yield* readById(storage, "contacts", knownContactId(workspaceId, decoded, references))
      return { ...references, workspaceId, known, subscribers }
    })

  /** Reads again if a handle's contact was merged or erased after the handle was read. */
  const load = (workspaceId: string, row: ImportedRow): Effect.Effect<ImportContactWorld, ReadError> =>
    Effect.repeat(readOnce(workspaceId, row), {
      until: (world) => world.known !== undefined || knownContactId(workspaceId, row.decoded, world) === undefined,
      times: maxRereads
    })

  const run = (workspaceId: string, row: ImportedRow, onKnown: OnKnown) =>
    decideAndCommit(load(workspaceId, row), (world, now, ids) => importContact(world, row.decoded, onKnown, now, ids))

  const rehearseImport = (workspaceId: string, row: ImportedRow, onKnown: OnKnown) =>
    Effect.gen(function* () {
      const world = yield* load(workspaceId, row)
      const now = yield* Clock.currentTimeMillis
      const { result } = yield* importContact(world, row.decoded, onKnown, now, ids)
      return result.result === "created" ? { ...result, contactId: null } : result
    })

  return ContactImports.of({
    run: (decoded) =>
      Effect.gen(function* () {
        const workspace = yield* readById(storage, "workspaces", decoded.value.workspaceId)
        const input = yield* complete(decoded, workspaceProblems(decoded.value.workspaceId, workspace))
        const { workspaceId } = input
        const onKnown = input.onKnown ?? "skip"
        const dryRun = input.dryRun ?? false
        const rows = yield* Effect.forEach(input.contacts, (given, index) => {
          const row = Effect.sync(() => importedRow(decodeImportedContact(given), index))
          return index % decodedPerTurn === 0 ? Effect.zipRight(nextTurn, row) : row
        })
        const importGroup = (group: ReadonlyArray<ImportedRow>) => {
          // In a dry run, addresses that earlier rows of the group would claim count as known.
          const made = new Set<string>()
          return Effect.forEach(group, (row) =>
            Effect.gen(function* () {
              if (!dryRun) return yield* run(workspaceId, row, onKnown)
              const rehearsed = yield* rehearseImport(workspaceId, row, onKnown)
              if (rehearsed.result !== "created") return rehearsed
              const isKnown = row.addresses.some((address) => made.has(address))
              for (const address of row.addresses) made.add(address)
              return isKnown
                ? ({ ...rehearsed, result: onKnown === "skip" ? "skipped" : "updated" } as const)
                : rehearsed
            }).pipe(Effect.map(resultOf(row)), Effect.catchTag("Refusal", refusedAs(row)))
          )
        }
        const groups = yield* Effect.forEach(groupsOfSharedHandles(rows), importGroup, { concurrency })
        return { dryRun, results: groups.flat().sort((one, other) => one.index - other.index) }
      }).pipe(commitAtOnce)
  })
})

const resultOf =
  ({ index }: ImportedRow) =>
  ({ contactId, result }: Pick<Imported, "result"> & { readonly contactId: string | null }): ImportResult => ({
    index,
    result,
    contactId,
    details: {}
  })

const refusedAs =
  ({ index }: ImportedRow) =>
  ({ details }: Refusal): Effect.Effect<ImportResult> =>
    Effect.succeed({ index, result: "refused", contactId: null, details })
