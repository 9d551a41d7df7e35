import { describe, expect, test } from "vitest"
import { newId, rival, shop } from "./journalOf.js"
import { brokenBy } from "./promisesOf.js"

describe("isolation", () => {
  test("an id of one workspace at a caller of another", () => {
    const shown = (caller: string) =>
      brokenBy((history) => {
        const contact = { data: { id: newId() } }
        history.call("shop", "GET", `/api/v1/contacts/${contact.data.id}`, null, 200, contact)
        history.call(caller, "GET", `/api/v1/contacts/${contact.data.id}`, null, 200, contact)
      })
    expect(shown("desk")).toEqual([])
    expect(shown("rival")).toEqual(["workspace-isolation"])
  })

  test("an id of one workspace in an error of another", () => {
    const broken = brokenBy((history) => {
      const id = newId()
      history.call("shop", "GET", `/api/v1/contacts/${id}`, null, 200, { data: { id } })
      const details = { contact_id: id }
      history.call("rival", "POST", "/api/v1/contacts", { email: "a@b.test" }, 422, {
        code: "validation_failed",
        details
      })
    })
    expect(broken).toEqual(["workspace-isolation"])
  })

  test("an id of one workspace at a receiver of another", () => {
    const broken = brokenBy((history) => {
      const id = newId()
      history.call("shop", "GET", `/api/v1/contacts/${id}`, null, 200, { data: { id } })
      history.webhook("contact.updated", { contact: { id } }, { to: rival.endpoint })
    })
    expect(broken).toEqual(["workspace-isolation"])
  })

  test("links repeat what the caller asked for", () => {
    const broken = brokenBy((history) => {
      const id = newId()
      history.call("shop", "GET", `/api/v1/contacts/${id}`, null, 200, { data: { id } })
      const answer = { data: [], links: { contact_id: id } }
      history.call("rival", "GET", `/api/v1/conversations?contact_id=${id}`, null, 200, answer)
    })
    expect(broken).toEqual([])
  })

  test("a handle of one workspace at a caller of another", () => {
    const shown = (alsoGiven: boolean) =>
      brokenBy((history) => {
        history.call("shop", "POST", "/api/v1/contacts", { phone: "+49 30 111 111" }, 201, { data: { id: newId() } })
        if (alsoGiven)
          history.call("rival", "POST", "/api/v1/contacts", { phone: "0049 30 111111" }, 409, { code: "c" })
        history.call("rival", "GET", "/api/v1/contacts", null, 200, { data: [{ id: newId(), phone: "+4930111111" }] })
      })
    expect(shown(true)).toEqual([])
    expect(shown(false)).toEqual(["workspace-isolation"])
  })

  test("an application that reads a message of another one", () => {
    expect(brokenBy((history) => history.read(history.send(), "queued", {}, "desk"))).toEqual(["application-isolation"])
    expect(brokenBy((history) => history.read(history.send(), "queued", {}, "administrator"))).toEqual([])
  })

  test("a connection that is not on the allow-list", () => {
    const listed = (ids: ReadonlyArray<string>, narrow: boolean) =>
      brokenBy((history) => {
        const path = `/admin/v1/applications/${shop.applicationId}`
        if (narrow) history.call("administrator", "PATCH", path, { connection_ids: [] }, 200)
        history.call("shop", "GET", "/api/v1/channels", null, 200, { data: ids.map((id) => ({ id })) })
      })
    expect(listed([shop.connectionId], false)).toEqual([])
    expect(listed([shop.connectionId, newId()], false)).toEqual(["application-isolation"])
    expect(listed([shop.connectionId], true)).toEqual(["application-isolation"])
  })
})
