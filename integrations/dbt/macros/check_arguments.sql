{# Refuse arguments with which a test would pass without a promise. #}
{% macro check_arguments(quasi_identifiers, name, least) %}
{%- if quasi_identifiers is string or quasi_identifiers is not sequence or not quasi_identifiers -%}
    {{ exceptions.raise_compiler_error('quasi_identifiers must be a list of columns, such as [zip, sex]') }}
{%- endif -%}
{%- if least is not integer or least is boolean or least < 2 -%}
    {{ exceptions.raise_compiler_error(name ~ ' must be a whole number from 2 on') }}
{%- endif -%}
{% endmacro %}
