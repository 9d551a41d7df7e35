import { expect, it } from "@effect/vitest"
import { aLead } from "@parley/testkit/rows"
import { Schema } from "effect"
import { LeadResource } from "../../src/index.js"
import { encodeLead } from "../../src/leads/LeadResource.js"

const id = "01900000-0000-7000-8000-0000000000aa"

it("writes a lead as the schema of the resource does", () => {
  for (const lead of [aLead({ id }), aLead({ id, title: "A boat", value: 12.5, currency: "EUR", updatedAt: 0 })]) {
    expect(encodeLead(lead)).toStrictEqual(Schema.encodeSync(LeadResource)(lead))
  }
})
