export { EmailConfig } from "./EmailConfig.js"
export { EmailCredentials } from "./EmailCredentials.js"
export type { EmailOptions } from "./EmailOptions.js"
export { email } from "./email.js"
