import { createPrivateKey, sign } from 'node:crypto';
import type { Lies } from './authenticator.ts';

/** A certificate that attests passkeys, as a maker of authenticators has one, in DER, and its key in PKCS #8. */
const certificate = Buffer.from(
  'MIIB8jCCAZigAwIBAgIUW+nWXTigv8qXCEXoxLsnryQFYv0wCgYIKoZIzj0EAwIwTzELMAkGA1UEBhMCVVMxDTALBgNVBAoMBFRlc3QxIjAgBgNVBAsMGUF1dGhlbnRpY2F0b3IgQXR0ZXN0YXRpb24xDTALBgNVBAMMBFRlc3QwIBcNMjYxMTIyMDgzNTQwWhgPMjEyNjEwMjkwODM1NDBaME8xCzAJBgNVBAYTAlVTMQ0wCwYDVQQKDARUZXN0MSIwIAYDVQQLDBlBdXRoZW50aWNhdG9yIEF0dGVzdGF0aW9uMQ0wCwYDVQQDDARUZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE5rLMRaUlrAxHJsJ9/eyJ0amQf071MlqmyxbCKK1xLOGBYL5HOxIw52GytVOKH1am4yLdB+FrNddhv8SfCoQxwKNQME4wHQYDVR0OBBYEFNJS76UjVdKb4hCq2AU9zlEWm0/2MB8GA1UdIwQYMBaAFNJS76UjVdKb4hCq2AU9zlEWm0/2MAwGA1UdEwEB/wQCMAAwCgYIKoZIzj0EAwIDSAAwRQIgJh0ZIeecLa+n2Fv12UmFS450Pie8s7A6kaf1alz2zp0CIQDhS1oYmzxstOL35FOLlbMG2EOM5WSMHqKXBqfQ0qw/bA==',
  'base64',
);
const key = createPrivateKey({
  key: Buffer.from(
    'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgQ98+PENj/Ch+0K0rLCcct1UD5JNEDNsw4KTCo7DIKB+hRANCAATmssxFpSWsDEcmwn397InRqZB/TvUyWqbLFsIorXEs4YFgvkc7EjDnYbK1U4ofVqbjIt0H4Ws112G/xJ8KhDHA',
    'base64',
  ),
  format: 'der',
  type: 'pkcs8',
});

type Attest = NonNullable<Lies['attest']>;

/** Packed attestation (WebAuthn level 3, section 8.2) by a certificate, and by the passkey itself. */
export const byCertificate: Attest = ({ signed }) => ({
  fmt: 'packed',
  attStmt: { alg: -7, sig: sign('sha256', signed, key), x5c: [certificate] },
});
export const byItself: Attest = ({ signed, privateKey }) => ({
  fmt: 'packed',
  attStmt: { alg: -7, sig: sign('sha256', signed, privateKey) },
});
