import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { someWorkspaceId } from "@parley/testkit/rows"
import { Effect } from "effect"
import { changes } from "../../../src/ports/Changes.js"
import { lookup, Storage } from "../../../src/ports/Storage.js"
import { partsScope, storePart } from "../../../src/resources/access/declaredPart.js"

const [first, second] = ["01900000-0000-7000-8000-0000000000a1", "01900000-0000-7000-8000-0000000000a2"]
const name = { workspaceId: someWorkspaceId, scope: partsScope(someWorkspaceId), key: "endpoints/orders" }

for (const [database, storage] of databases) {
  layer(storage)(`the name of a declared part on ${database}`, (it) => {
    it.effect("is not deleted by a process that read it before it was deleted and set again", () =>
      Effect.gen(function* () {
        const store = yield* Storage
        const record = Effect.map(
          store.read({ found: lookup("idempotency", { applicationId: name.scope, key: name.key }) }),
          ({ found }) => found[0]
        )
        const commit = (...parts: Parameters<typeof storePart>) =>
          Effect.map(store.commit(changes(someWorkspaceId, storePart(...parts))), ({ _tag }) => _tag)
        expect(yield* commit(undefined, name, { id: first, pruned: false }, 1)).toBe("Committed")
        const read = yield* record
        expect(yield* commit(read, name, null, 2)).toBe("Committed")
        expect(yield* commit(undefined, name, { id: second, pruned: false }, 3)).toBe("Committed")
        expect((yield* record)?.version).toBe(read?.version)
        expect(yield* commit(read, name, null, 4)).toBe("Conflict")
        expect((yield* record)?.body).toContain(second)
      })
    )
  })
}
