import { Clock, Context, Effect, Layer } from "effect"
import { loadContactReferences } from "../../contacts/contactReferences.js"
import { Decider } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import { subscriberLookups } from "../../events/Outbox.js"
import { complete } from "../../input/complete.js"
import type { Draft } from "../../input/Draft.js"
import { Ids } from "../../ports/Ids.js"
import { type CommitError, type ReadError, readById, Storage } from "../../ports/Storage.js"
import { workspaceProblems } from "../workspaceProblems.js"
import { type ImportInput, importedContactDraft } from "./ImportInput.js"
import type { ImportReport, ImportResult } from "./ImportReport.js"
import { type ImportContactWorld, type Imported, importContact, knownContactId, type OnKnown } from "./importContact.js"
import { groupsOfSharedHandles, type ImportedRow, importedRow } from "./sharedHandles.js"

/** Imports contacts, many at a time. */
export interface ContactImports {
  /**
   * `POST /contacts/import`: each contact by itself, so that one that is refused holds up no other. To call it again does
   * no harm: what was imported is known then. A dry run tells what would come of it and writes nothing.
   */
  readonly run: (draft: Draft<ImportInput>) => Effect.Effect<ImportReport, Refusal | CommitError>
}
export const ContactImports = Context.GenericTag<ContactImports>("@parley/core/ContactImports")

/** How many contacts are under way at once: enough to share their commits. */
const concurrency = 100

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const ids = yield* Ids
  const { decideAndCommit } = yield* Decider

  const load = (workspaceId: string, { draft }: ImportedRow): Effect.Effect<ImportContactWorld, ReadError> =>
    Effect.gen(function* () {
      const [subscribers, references] = yield* Effect.all(
        [storage.read(subscriberLookups(workspaceId)), loadContactReferences(storage, workspaceId, draft.value)],
        { concurrency: "unbounded" }
      )
      const known = yield* readById(storage, "contacts", knownContactId(workspaceId, draft, references))
      return { ...references, workspaceId, known, subscribers }
    })

  const carryOut = (workspaceId: string, row: ImportedRow, onKnown: OnKnown) =>
    decideAndCommit(load(workspaceId, row), (world, now, ids) => importContact(world, row.draft, onKnown, now, ids))

  const rehearse = (workspaceId: string, row: ImportedRow, onKnown: OnKnown) =>
    Effect.gen(function* () {
      const world = yield* load(workspaceId, row)
      const now = yield* Clock.currentTimeMillis
      const { result } = yield* importContact(world, row.draft, onKnown, now, ids)
      return result.result === "created" ? { ...result, contactId: null } : result
    })

  return ContactImports.of({
    run: (draft) =>
      Effect.gen(function* () {
        const workspace = yield* readById(storage, "workspaces", draft.value.workspaceId)
        const input = yield* complete(draft, workspaceProblems(draft.value.workspaceId, workspace))
        const { workspaceId } = input
        const onKnown = input.onKnown ?? "skip"
        const dryRun = input.dryRun ?? false
        const rows = input.contacts.map((given, index) => importedRow(importedContactDraft(given), index))
        const importGroup = (group: ReadonlyArray<ImportedRow>) => {
          // What the first ones of a rehearsal would have made is known to those behind them.
          const made = new Set<string>()
          return Effect.forEach(group, (row) =>
            Effect.gen(function* () {
              if (!dryRun) return yield* carryOut(workspaceId, row, onKnown)
              const rehearsed = yield* rehearse(workspaceId, row, onKnown)
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
      })
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

export const layer: Layer.Layer<ContactImports, never, Storage | Ids | Decider> = Layer.effect(ContactImports, make)
