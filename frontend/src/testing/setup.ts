// Tests compare formatted numbers and times, so their language and zone are not the machine's.
process.env['TZ'] = 'UTC';
