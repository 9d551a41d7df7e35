import { expect, it } from "@effect/vitest"
import { aLead } from "@parley/testkit/rows"
import { Schema } from "effect"
import { LeadResource } from "../../../src/index.js"
import { encodeLead } from "../../../src/resources/leads/LeadResource.js"

const id = "01900000-0000-7000-8000-0000000000aa"

it("encodes a lead like the schema of the resource", () => {
  for (const lead of [aLead({ id }), aLead({ id, title: "A boat", value: 12.5, currency: "EUR", updatedAt: 0 })]) {
    expect(encodeLead(lead)).toStrictEqual(Schema.encodeSync(LeadResource)(lead))
  }
})
