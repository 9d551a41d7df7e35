import { plannerSettings } from "../src/sessionSettings.js"

/** A URL whose connections have the planner settings. */
export const plannerSession = (url: string): string =>
  `${url}?options=${encodeURIComponent(plannerSettings.map(([name, value]) => `-c ${name}=${value}`).join(" "))}`
