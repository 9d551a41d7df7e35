export * from "./MessengerConfig.js"
export * from "./MessengerCredentials.js"
export * from "./MessengerOptions.js"
export * from "./messenger.js"
