import { expect } from "vitest"
import { page, refusal } from "../Answers.js"
import { ListedContact } from "../Resources.js"
import type { Section } from "../Suite.js"
import { shop } from "../shared.js"

/** The base path and its version (docs/reference/requests.md#base-path-and-version). */
export const versioning: Section = ({ proves }) => {
  proves("Versioning · every path sits under /api/v1", async (world) => {
    const { key } = (await shop(world)).app
    for (const path of ["/contacts", "/v1/contacts", "/api/contacts", "/api/v2/contacts", "/api/v1.0/contacts"]) {
      refusal(await world.wire({ method: "GET", path, token: key }), 404, "not_found")
    }
    page(await world.wire({ method: "GET", path: "/api/v1/contacts", token: key }), ListedContact)
  })
  proves("Versioning · the machine-readable description is version 1.0.0", async (world) => {
    const { json } = await world.anonymous.get("/openapi.json")
    expect((json as any).info.version).toBe("1.0.0")
    for (const { url } of (json as any).servers) expect(url).toMatch(/\/api\/v1$/)
  })
  proves("Versioning · test and live credentials address the same interface", async (world) => {
    const { application } = await shop(world)
    for (const mode of ["live", "test"] as const) {
      page(await (await application({ mode, connection_ids: [] })).api.get("/contacts"), ListedContact)
    }
  })
}
