import { aTemplate, someConnectionId as id } from "@parley/testkit"
import { describe, expect, it } from "vitest"
import { changeTemplate } from "../../src/templates/changeTemplate.js"

const template = aTemplate({ id, status: "pending", version: 4 })

describe("a change of a template", () => {
  it("is written where it is one, on the version that was seen", () => {
    const { changes, result } = changeTemplate(template, { status: "approved" })
    expect(result).toEqual({ ...template, status: "approved", version: 5 })
    expect(changes?.expects).toEqual([{ table: "templates", key: { id }, where: { version: 4 } }])
    expect(changes?.sets).toEqual([{ table: "templates", key: { id }, values: { status: "approved" } }])
  })
  it("writes nothing where it says what is so already", () => {
    expect(changeTemplate(template, { status: "pending", body: template.body })).toEqual({
      changes: null,
      result: template
    })
    expect(changeTemplate(template, {}).changes).toBeNull()
  })
})
