select * from (values
  ('02138', 'f', 1, 'flu'), ('02138', 'f', 1, 'flu'), ('02138', 'f', 2, null),
  (null, 'm', 3, 'flu'), (null, 'm', 4, 'cold'), (null, 'm', 5, 'cold')
) as t(zip, sex, person, ill)
