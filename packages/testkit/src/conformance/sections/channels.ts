import { expect } from "vitest"
import { page } from "../Answers.js"
import { channels as all, ListedChannel } from "../Resources.js"
import type { Section } from "../Suite.js"
import { shop } from "../shared.js"

/** The list of channels (docs/reference/pagination.md#all-channels-on-one-page). */
export const channels: Section = ({ proves }) => {
  proves("GET /channels · lists exactly the connections on the allow-list, in a page envelope", async (world) => {
    const tenant = await shop(world)
    const other = await tenant.connection("telegram", { handle: "not-allowed" })
    const listed = page(await tenant.app.api.get("/channels"), ListedChannel)
    expect(listed.data.map(({ id }) => id).sort()).toEqual(Object.values(tenant.connections).sort())
    expect(listed.meta.total).toBe(all.length)
    expect(listed.data.map(({ id }) => id)).not.toContain(other.id)
    const narrow = await tenant.application({ connection_ids: [tenant.connections.email] })
    const ids = async () => page(await narrow.api.get("/channels"), ListedChannel).data.map(({ id }) => id)
    expect(await ids()).toEqual([tenant.connections.email])
    await world.admin.patch(`/applications/${narrow.id}`, { connection_ids: [other.id] })
    expect(await ids()).toEqual([other.id])
    await world.admin.patch(`/applications/${narrow.id}`, { connection_ids: [] })
    expect(await ids()).toEqual([])
  })
  for (const channel of all) {
    proves(`GET /channels · ${channel} · has its fields and capabilities`, async (world) => {
      const tenant = await shop(world)
      const listed = page(await tenant.app.api.get("/channels"), ListedChannel).data
      const one = listed.find(({ id }) => id === tenant.connections[channel])
      expect(one).toMatchObject({ channel, name: `Our ${channel}`, status: "active", is_test: true })
      expect(one?.capabilities).toMatchObject({
        service_window_hours: ["whatsapp", "instagram", "facebook"].includes(channel) ? 24 : null,
        templates: ["whatsapp", "email"].includes(channel)
      })
    })
  }
  for (const status of ["paused", "disconnected"]) {
    proves(`GET /channels · status · ${status} is shown`, async (world) => {
      const tenant = await shop(world)
      const { id } = await tenant.connection("facebook", { handle: `page-${status}` })
      const { api } = await tenant.application({ connection_ids: [id] })
      await world.admin.patch(`/connections/${id}`, { status })
      expect(page(await api.get("/channels"), ListedChannel).data.map((one) => one.status)).toEqual([status])
    })
  }
}
