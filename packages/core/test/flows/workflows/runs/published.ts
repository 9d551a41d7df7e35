import { aWorkflow, aWorkflowVersion } from "@parley/testkit/rows"
import { Effect } from "effect"
import { decodeBusinessEventInput } from "../../../../src/flows/workflows/BusinessEventInput.js"
import { BusinessEvents } from "../../../../src/flows/workflows/BusinessEvents.js"
import type { Action, ActionKind } from "../../../../src/model/Action.js"
import { changes, row } from "../../../../src/ports/Changes.js"
import { Ids } from "../../../../src/ports/Ids.js"
import { Storage } from "../../../../src/ports/Storage.js"
import type { Caller } from "../../../../src/resources/access/Caller.js"
import { fingerprint } from "../../../../src/resources/access/fingerprint.js"

const orderShipped = "order.shipped"

/** An action whose failure ends the run. */
export const action = (kind: ActionKind): Action => ({ ...kind, name: null, if: null, onError: "stop" })

/** A published workflow of the workspace that executes these actions for each `order.shipped`. */
export const publish = (workspaceId: string, actions: ReadonlyArray<Action>) =>
  Effect.gen(function* () {
    const ids = yield* Ids
    const next = () => ids.next(1_700_000_000_000)
    const definition = { conditions: null, actions }
    const [id, versionId] = [next(), next()]
    const published = { definition, versionId, versions: 1, edited: false, eventName: orderShipped }
    yield* (yield* Storage).commit(
      changes(workspaceId, {
        inserts: [
          row("workflows", aWorkflow({ id, workspaceId, ...published })),
          row("workflowVersions", aWorkflowVersion({ id: versionId, workspaceId, workflowId: id, definition }))
        ]
      })
    )
    return id
  })

/** Records an `order.shipped` of the contact by the caller; `key` is its `Idempotency-Key`. */
export const ship = (caller: Caller, contact_id: string, key: string) =>
  Effect.flatMap(BusinessEvents, (events) =>
    events.record(caller, {
      decoded: decodeBusinessEventInput({ event: orderShipped, contact_id }),
      idempotency: { key, fingerprint: fingerprint("POST", "/events", { key }) }
    })
  )
