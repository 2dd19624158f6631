/** Says why nothing is read or sent: this device has no network, or the service is down. */
export const describeOutage = (): string =>
  navigator.onLine === false ? 'The network is gone.' : 'The service does not answer just now.';
